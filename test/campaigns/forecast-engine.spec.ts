import { type ForecastResource } from '../../src/campaigns/forecast/forecast.dto.js';
import { ForecastFactsService } from '../../src/campaigns/forecast/forecast-facts.service.js';
import { type ForecastRow } from '../../src/campaigns/forecast/forecast.sql.js';
import { enrollmentOf } from '../../src/campaigns/forecast/rows.js';
import { forecast } from '../../src/domain/campaigns/forecast/forecast.js';
import { type ForecastDial } from '../../src/domain/campaigns/forecast/play.js';
import { PackIndex } from '../../src/domain/compliance/pack-index.js';
import { type ForecastEnrollment } from '../../src/domain/campaigns/forecast/scene.js';
import { insertRow } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { setClock } from '../support/clock.js';
import { HOUR, MINUTE, PlayedCampaign } from './support/played-campaign.js';

/*
 * A forecast beside the engine. A worker on a moved clock plays the same enrollments, with a simulator that
 * draws the outcomes of its dials by the same seed.
 */

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

const DAY = 24 * HOUR;
const SEED = 2027;
const ANY_NUMBER = expect.any(Number) as number;
const ASSUME = { completed: 0.2, no_answer: 0.4, busy: 0.2, voicemail: 0.15 };
// Openings and delays end away from the full hour: an engine dials some moments after an instant, and its
// test a minute after it.
const OPEN = [{ start: '09:20', end: '16:40' }];
const WORKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const HOURS = Object.fromEntries(WORKDAYS.map((day) => [day, OPEN]));
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', null];
const STEPS = [
  {
    key: 'first',
    maxAttempts: 3,
    retry: { no_answer: ['PT3H', 'P1D'], busy: ['PT2H', 'PT2H'], voicemail: ['P2D'], failed: ['P1D'] },
    on: [
      { disposition: 'interested', goal: true },
      { outcome: 'no_response', next: 'second' },
    ],
  },
  { key: 'second', after: 'P1DT1H', retry: { no_answer: ['P1D'] } },
];
const CAPS = { maxAttempts: 5, perNumber: [{ count: 2, per: 'PT20H' }], lifetime: 'P9D' };

/** A Wednesday. Clocks go forward in Berlin on the Sunday after it, and have in New York. */
const BEGIN = Date.parse('2027-03-24T06:00:00Z');

/** The packs of France narrow the hours and limit the calls to a person. Consents and registers would hold everyone. */
const LAW = {
  mode: 'enforce',
  purpose: 'marketing',
  voice: 'ai',
  kinds: { consentRequired: 'off', registerScrub: 'off' },
};

test.each([
  ['of a team without packs', BEGIN, { mode: 'off' }, {}],
  ['of a team with the packs of France', BEGIN + 28 * DAY, LAW, { JURISDICTION_CAP: ANY_NUMBER }],
])('the engine dials what the forecast says, %s', async (_, begin, compliance, skipped) => {
  await setClock(calling.db, iso(begin));
  calling.setRules({ match: '*', assume: ASSUME, seed: SEED });
  const caller = await buildCaller(
    calling.db,
    { retry_within_redial_window: true, compliance: JSON.stringify(compliance) },
    { timezone: 'Europe/London', calling_hours: HOURS },
  );
  const definition = { steps: STEPS, caps: CAPS, closedDates: ['2027-03-26'] };
  const campaign = await PlayedCampaign.build(calling, caller, definition);
  const enrolled: { id: string; to: string }[] = [];
  for (let n = 0; n < 36; n += 1) {
    const number = compliance === LAW ? { phone_number: `+336123456${10 + n}` } : {};
    enrolled.push(await campaign.enroll({ timezone: ZONES[n % ZONES.length], ...number }));
  }
  // A first day, so that the forecast begins with calls that were made.
  const from = begin + DAY;
  await play(campaign, begin, from);
  expect(await dialsOf(campaign)).not.toHaveLength(0);
  const live = await calling.db.query<{ id: string }[]>(
    `SELECT id FROM enrollments WHERE campaign_id = $1 AND status = 'active'`,
    [campaign.id],
  );
  const [paused, suppressed] = enrolled.slice(5).filter(({ id }) => live.some((one) => one.id === id));
  if (paused === undefined || suppressed === undefined) throw new Error('too few are live');
  await campaign.move(paused.id, 'pause');
  // Not by the endpoint, which ends the enrollment at once.
  await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: suppressed.to });

  const until = from + 8 * DAY;
  const { dials, result } = await forecastOf(campaign, from, until);
  const before = new Set((await dialsOf(campaign)).map(({ key }) => key));
  await play(campaign, from, until);
  const made = (await dialsOf(campaign)).filter(({ key }) => !before.has(key));
  expect(made.map(({ line }) => line).sort()).toEqual(dials);
  expect(dials.length).toBeGreaterThan(20);
  expect(new Set(dials.map((line) => line.split(' ')[2]))).toEqual(
    new Set(['completed', 'no_answer', 'busy', 'voicemail', 'failed']),
  );

  expect(result.dials).toBe(dials.length);
  expect(result.skipped).toMatchObject({ DO_NOT_CALL: 1, paused: 1, hours: ANY_NUMBER, ...skipped });
  expect({ ended: result.ended, live: result.live }).toEqual(await endsOf(campaign));

  /** Ends of enrollments since the forecast, and how many are live. */
  async function endsOf({ id }: PlayedCampaign) {
    const rows = await calling.db.query<{ end_reason: string | null; n: number }[]>(
      `SELECT end_reason, count(*)::integer AS n FROM enrollments
       WHERE campaign_id = $1 AND (ended_at IS NULL OR ended_at >= $2) GROUP BY 1`,
      [id, new Date(from)],
    );
    const entries = rows.map(({ end_reason: reason, n }): [string, number] => [reason ?? '', n]);
    const { '': left = 0, ...ended } = Object.fromEntries(entries);
    return { ended, live: left };
  }
});

/** Moves the clock to each instant at which something is due, and lets the worker do it. */
async function play(campaign: PlayedCampaign, from: number, until: number): Promise<void> {
  for (let at = from; at < until;) {
    await campaign.played(worker.app, at - Date.now());
    const [next] = await calling.db.query<{ at: Date | null }[]>(
      `SELECT min(look_at) AS at FROM enrollments WHERE campaign_id = $1 AND status IN ('active', 'paused')
         AND look_at > outdial_now()`,
      [campaign.id],
    );
    // What is due within a minute is done at once.
    at = next?.at == null ? until : Math.max(next.at.getTime(), at) + MINUTE;
  }
  await setClock(calling.db, iso(until));
}

/** All dials of the campaign. */
async function dialsOf({ id }: PlayedCampaign): Promise<{ key: string; line: string }[]> {
  const rows = await calling.db.query<
    { phone_number: string; seq: number; status: string; claimed_at: Date }[]
  >(
    `SELECT r.phone_number, d.seq, r.status, d.claimed_at
     FROM enrollment_dials d JOIN call_requests r ON r.id = d.call_request_id WHERE d.campaign_id = $1`,
    [id],
  );
  return rows.map(({ phone_number: number, seq, status, claimed_at: at }) => ({
    key: `${number} ${seq}`,
    line: lineOf({ number, seq, outcome: status, at: at.getTime() }),
  }));
}

/** By the endpoint, and by the same parts with every dial, which must agree. */
async function forecastOf(
  { caller: { teamId }, id: campaignId, versionId }: PlayedCampaign,
  ...window: [number, number]
) {
  const [from, until] = window;
  const assume = { ...ASSUME, seconds: 1 };
  const body = { from: iso(from), until: iso(until), concurrency: 50, assume, seed: SEED };
  const path = `/teams/${teamId}/campaigns/${campaignId}/versions/${versionId}/forecast`;
  const result = (await calling.operated('post', path, body)).body as ForecastResource;
  const facts = calling.api.get(ForecastFactsService, { strict: false });
  const ids = { teamId, campaignId, versionId };
  const { law: of, ...stored } = await facts.scene(ids);
  const law = { ...of, packs: calling.api.get(PackIndex, { strict: false }) };
  const scene = { ...stored, from, until, concurrency: 50, assume, seed: SEED, suppressed: 0 };
  const enrollments: ForecastEnrollment[] = [];
  for await (const { rows } of facts.pages(ids, stored))
    for (const row of JSON.parse(rows) as ForecastRow[]) enrollments.push(enrollmentOf(row, scene, law));
  const dials: ForecastDial[] = [];
  const again = forecast(scene, enrollments, (dial) => dials.push(dial));
  expect(result).toEqual({ ...again, versionId, from: iso(from), until: iso(until) });
  return { dials: dials.map(lineOf).sort(), result };
}

/** The minutes of an instant are not compared. */
function lineOf({
  number,
  seq,
  outcome,
  at,
}: Pick<ForecastDial, 'number' | 'seq' | 'outcome' | 'at'>): string {
  return [number, seq, outcome, iso(at).slice(0, 13)].join(' ');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
