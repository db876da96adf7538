import { pause } from '../services/run.js';
import { CampaignClient } from './campaign-client.js';
import { type PlayedCampaign } from './campaign-teams.js';
import { type CampaignView } from './collect-campaigns.js';
import { type Random } from './random.js';
import { OPT_OUT_WAYS } from './result-client.js';
import { type World } from './world.js';

const MOST_UNDER_WAY = 30;
/** Of a hundred enrollments so many come to this. */
const ENROLLED_TWICE = 5;
const CALLED_BESIDE = 4;
const EXITED = 5;
const PAUSED = 5;
const LISTED = 3;
const OPTED_OUT = 4;
const EXITED_AND_OPTED_OUT = 2;
const OPTS_OUT = 2;
const ENROLLED_WITH_CONTACT = 10;
/** Between changes of whole campaigns. */
const CAMPAIGN_PAUSED_EVERY_MS = 5_000;
const ARCHIVED_EVERY_MS = 40_000;
const COUNTED_EVERY_MS = 1_000;

/**
 * What numbers answer: more without an answer than among triggered calls, so that there is something to
 * retry.
 */
const OUTCOMES = [
  ...Array<'completed'>(30).fill('completed'),
  ...Array<'no_answer'>(25).fill('no_answer'),
  ...Array<'busy'>(22).fill('busy'),
  ...Array<'failed'>(8).fill('failed'),
  'voicemail',
  'voicemail',
  'refuse',
  'refuse',
  'error',
  'reset',
  'silent',
  'late',
  'hang',
  'duplicate',
  'duplicate',
  'disorder',
  'disorder',
] as const;

const ATTEMPTS = `
  SELECT count(*)::integer AS attempts FROM call_requests WHERE enrollment_id IS NOT NULL AND processed_at IS NOT NULL`;

const NEWEST_CALL = `
  SELECT call_request_id AS id FROM enrollment_dials WHERE enrollment_id = $1 ORDER BY seq DESC LIMIT 1`;

const PAUSED_NOW = `
  SELECT id AS campaign, NULL::uuid AS enrollment FROM campaigns WHERE status = 'paused'
  UNION ALL SELECT campaign_id, id FROM enrollments WHERE status = 'paused'`;

/**
 * Enrolls contacts at a steady rate, and pauses, resumes, exits, archives and lists while they are called.
 */
export class CampaignTraffic {
  readonly client: CampaignClient;
  enrolled = 0;
  /** Dials of campaigns that were processed, as far as known. */
  attempts = 0;
  private readonly underWay = new Set<Promise<unknown>>();
  private stopped = false;

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {
    this.client = new CampaignClient(world.client.apiUrl, world.client.operatorToken);
  }

  /** Goes on until `stop`, and resolves when everything that was begun is over. */
  async run(enrollmentsPerSecond: number): Promise<void> {
    const startedAt = performance.now();
    const steering = Promise.all([
      this.every(CAMPAIGN_PAUSED_EVERY_MS, (campaign) =>
        this.client.pauseCampaign(campaign, this.random.between(500, 3_000)),
      ),
      this.every(ARCHIVED_EVERY_MS, (campaign) => this.archive(campaign)),
      this.every(COUNTED_EVERY_MS, () => this.count()),
    ]);
    while (!this.stopped) {
      const due = ((performance.now() - startedAt) / 1_000) * enrollmentsPerSecond;
      while (!this.stopped && this.enrolled < due) {
        while (this.underWay.size >= MOST_UNDER_WAY) await Promise.race(this.underWay);
        this.enrolled += 1;
        this.track(this.enroll());
      }
      await pause(20);
    }
    await steering;
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  stop(): void {
    this.stopped = true;
  }

  /** What is known of the campaigns while they are played. */
  get view(): CampaignView {
    return { records: this.client.records, waits: null, isOver: false };
  }

  /** Ends every pause, also one that was not answered. The API is whole. */
  async resumeAll(): Promise<void> {
    const { rows } = await this.world.db.query<{ campaign: string; enrollment: string | null }>(PAUSED_NOW);
    for (const { campaign: id, enrollment } of rows) {
      const campaign = this.world.campaigns.all.get(id);
      if (campaign && enrollment === null) await this.client.resumeCampaign(campaign);
      else if (campaign && enrollment !== null) await this.client.resumeEnrollment(campaign, enrollment);
    }
  }

  private async enroll(): Promise<void> {
    const { random, client } = this;
    const campaign = this.campaign();
    const { numbers } = this.world;
    const phoneNumber = this.happens(OPTS_OUT) ? numbers.optingOut() : numbers.next(random.pick(OUTCOMES));
    if (this.happens(ENROLLED_WITH_CONTACT)) {
      await client.createContact(campaign.team, phoneNumber, campaign.id);
      return;
    }
    const contactId = await client.createContact(campaign.team, phoneNumber);
    const enrollmentId = contactId && (await client.enroll(campaign, contactId));
    if (!enrollmentId) return;
    if (this.happens(ENROLLED_TWICE)) {
      const others = this.world.campaigns.open.filter(
        (one) => one.team === campaign.team && one !== campaign,
      );
      if (others.length > 0) await client.enroll(random.pick(others), contactId);
    }
    if (this.happens(CALLED_BESIDE)) this.soon(() => this.world.client.trigger(campaign.team, phoneNumber));
    if (this.happens(EXITED)) this.soon(() => client.exit(campaign, enrollmentId));
    if (this.happens(LISTED)) this.soon(() => this.world.client.addToDoNotCall(campaign.team, [phoneNumber]));
    if (this.happens(OPTED_OUT)) this.optOut(campaign, enrollmentId);
    if (this.happens(EXITED_AND_OPTED_OUT)) {
      this.optOut(campaign, enrollmentId, () => client.exit(campaign, enrollmentId));
    }
    if (this.happens(PAUSED)) {
      this.soon(() => client.pauseEnrollment(campaign, enrollmentId, random.between(500, 3_000)));
    }
  }

  /** The result of the enrollment's newest call opts out. @param first what is done before that. */
  private optOut(
    { team }: PlayedCampaign,
    enrollmentId: string,
    first: () => Promise<void> = () => Promise.resolve(),
  ): void {
    const way = this.random.pick(OPT_OUT_WAYS);
    this.soon(async () => {
      await first();
      // Postgres may be away.
      const calls = await this.world.db.query<{ id: string }>(NEWEST_CALL, [enrollmentId]).catch(() => null);
      const id = calls?.rows[0]?.id;
      if (id !== undefined) await this.world.results.optOut(team, id, way);
    });
  }

  /** Postgres may be away. */
  private async count(): Promise<void> {
    const counted = await this.world.db.query<{ attempts: number }>(ATTEMPTS).catch(() => null);
    this.attempts = counted?.rows[0]?.attempts ?? this.attempts;
  }

  private async archive(campaign: PlayedCampaign): Promise<void> {
    // First another one, so that there always is one of the kind.
    await this.world.campaigns.replace(campaign).catch(() => undefined);
    if (!this.world.campaigns.open.includes(campaign)) await this.client.archive(campaign);
  }

  /** One campaign after the other, so that a pause does not meet the archiving of the same. */
  private async every(ms: number, change: (campaign: PlayedCampaign) => Promise<void>): Promise<void> {
    const { open } = this.world.campaigns;
    while (!this.stopped) {
      for (let waited = 0; waited < ms && !this.stopped; waited += 100) await pause(100);
      if (!this.stopped) await change(this.random.pick(open));
    }
  }

  private campaign(): PlayedCampaign {
    let draw = this.random.between(1, 100);
    const { open } = this.world.campaigns;
    return open.find(({ kind }) => (draw -= kind.share) <= 0) ?? this.random.pick(open);
  }

  private happens(percent: number): boolean {
    return this.random.chance(percent / 100);
  }

  /** While the enrollment is probably called. */
  private soon(act: () => Promise<unknown>): void {
    this.track(pause(this.random.between(0, 3_000)).then(act));
  }

  private track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }
}
