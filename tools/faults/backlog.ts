import { CampaignClient } from './campaign-client.js';
import { BACKLOG_KIND } from './campaign-kinds.js';
import { type Sabotage } from './dist-copy.js';
import { someOf } from './report.js';
import { Random } from './random.js';
import { World } from './world.js';

/** By this name `--only` chooses it. */
export const BACKLOG = 'backlog of a campaign with one slot';

/** Far more than are dialed while the results are watched. */
const PEOPLE = 300;
const AT_A_TIME = 10;
/** Longer than the bound of a result. */
const WATCHED_BEATS = 130;

export interface BacklogOptions {
  seed: number;
  sabotage?: Sabotage;
  logDirectory?: string;
  log: (line: string) => void;
}

/**
 * Enrolls many people in a campaign that dials one at a time, and breaks things. The results of its calls move
 * their enrollments all the same, however many wait for the slot.
 *
 * @returns what went wrong.
 */
export async function runBacklog({ seed, sabotage, logDirectory, log }: BacklogOptions): Promise<string[]> {
  const world = await World.create({
    random: new Random(seed),
    calls: 1_000,
    attempts: 1_000,
    sabotage,
    logDirectory,
  });
  try {
    await enrollPeople(world);
    const { liveness } = world;
    await liveness.watch('the enrollment', WATCHED_BEATS);
    if (liveness.late.length === 0) {
      for (const [name, inject] of FAULTS) {
        await inject(world);
        await liveness.watch(name, WATCHED_BEATS);
      }
    }
    const { rows } = await world.db.query<{ ended: number; waiting: number }>(COUNTS, [BACKLOG_KIND.name]);
    const { ended = 0, waiting = 0 } = rows[0] ?? {};
    log(`  ${ended} calls had ended, ${waiting} people were not called yet`);
    const problems = someOf(liveness.late);
    if (ended === 0) problems.push('no call ended');
    if (waiting === 0) problems.push('the backlog was over, so that it showed nothing');
    return problems;
  } finally {
    await world.close();
  }
}

const COUNTS = `
  SELECT (SELECT count(*)::integer FROM call_requests r JOIN enrollments e ON e.id = r.enrollment_id
      WHERE e.campaign_id = p.id AND r.ended_at IS NOT NULL) AS ended,
    (SELECT count(*)::integer FROM enrollments e WHERE e.campaign_id = p.id AND e.status = 'active'
      AND NOT EXISTS (SELECT FROM enrollment_dials d WHERE d.enrollment_id = e.id)) AS waiting
  FROM campaigns p WHERE p.name = $1`;

const FAULTS: [name: string, inject: (world: World) => Promise<void>][] = [
  [
    'the kill of a worker',
    async ({ workers: [{ program }] }) => {
      await program.kill();
      await program.start();
    },
  ],
  [
    'a crash of Postgres',
    async ({ postgres }) => {
      const kill = await postgres.victim();
      kill();
      await postgres.recovered();
    },
  ],
  [
    'cut connections to Redis',
    ({ nodes }) => {
      for (const { redis } of nodes) redis.cut();
      return Promise.resolve();
    },
  ],
];

async function enrollPeople(world: World): Promise<void> {
  const campaign = await world.campaigns.add(BACKLOG_KIND);
  const client = new CampaignClient(world.client.apiUrl, world.client.operatorToken);
  let left = PEOPLE;
  const enroll = async () => {
    while (left > 0) {
      left -= 1;
      const contactId = await client.createContact(campaign.team, world.numbers.next('completed'));
      if (contactId !== undefined) await client.enroll(campaign, contactId);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, enroll));
}
