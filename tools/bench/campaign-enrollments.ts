import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { CAMPAIGN_STATS } from '../../src/campaigns/admin/campaign-stats.sql.js';
import { callsOfBuild, MEASURED } from './calls-of-build.js';
import { type Group, SQL } from './data.js';
import { type Stack } from './stack.js';
import { median } from './table.js';

/** Claims of one kind. */
export interface Claimed {
  calls: number;
  /** Between the first and the last. */
  perSecond: number;
  first: Date | null;
}

const CAMPAIGN = `md5('campaign that calls')::uuid`;
const VERSION = `md5('version that calls')::uuid`;
/** As the calls of triggers that the benchmark plants, so that both are rendered and cleaned alike. */
const VARIABLES = { bench: true, topic: 'the appointment' };

/** A campaign of one step, and its enrollments. */
export class Enrolled {
  private constructor(
    private readonly stack: Stack,
    readonly group: Group,
  ) {}

  static async prepare(stack: Stack, group: Group): Promise<Enrolled> {
    const team = SQL.team(`${group.firstTeam}`);
    await stack.db.query(
      `WITH campaign AS (
         INSERT INTO campaigns (id, team_id, name, status, current_version_id)
         VALUES (${CAMPAIGN}, ${team}, 'Calls', 'active', ${VERSION}))
       INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at, definition, definition_format)
       SELECT ${VERSION}, ${team}, ${CAMPAIGN}, 1, 'published', now(),
         jsonb_build_object('steps', jsonb_build_array(jsonb_build_object('key', 'first', 'agentId', ${SQL.agent(`${group.firstTeam}`)})),
           'variables', $1::jsonb), ${DEFINITION_FORMAT}`,
      [JSON.stringify(VARIABLES)],
    );
    return new Enrolled(stack, group);
  }

  /** @param from the first contact of the group. @param dueAt of all of them. */
  async enroll(from: number, count: number, dueAt: Date): Promise<void> {
    const first = this.group.firstContact + from;
    await this.stack.db.query(
      `INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, waiting_for, next_attempt_at, look_at)
       SELECT ${SQL.team(`${this.group.firstTeam}`)}, ${CAMPAIGN}, md5('contact' || n)::uuid, ${VERSION}, 'after', $1::timestamptz, $1
       FROM generate_series(${first}, ${first + count - 1}) AS n`,
      [dueAt],
    );
    await this.stack.db.query('VACUUM ANALYZE enrollments');
    await this.stack.db.query('CHECKPOINT');
  }

  async campaignId(): Promise<string> {
    const { rows } = await this.stack.db.query<{ id: string }>(`SELECT ${CAMPAIGN} AS id`);
    return rows[0]?.id ?? '';
  }

  /** Waits until nothing is due, and every call has ended. */
  async drained(): Promise<void> {
    const { underWay } = await callsOfBuild(this.stack.db);
    for (;;) {
      const { rows } = await this.stack.db.query<{ open: boolean }>(
        `SELECT EXISTS (SELECT FROM enrollments WHERE campaign_id = ${CAMPAIGN} AND status IN ('active', 'paused')
             AND look_at IS NOT NULL AND look_at < now() + interval '10 minutes')
           OR EXISTS (SELECT FROM call_requests WHERE ${underWay}) AS open`,
      );
      if (rows[0]?.open === false) return;
      // The look costs Postgres milliseconds of the cores that the claims need.
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  /** The claims of enrollments so far. */
  claimed(): Promise<Claimed> {
    return this.claims('enrollment_dials');
  }

  /** The claims of all calls. */
  claimedCalls(): Promise<Claimed> {
    return this.claims(`call_requests WHERE ${MEASURED}`);
  }

  /** How long the counts of the campaign take to be read, in milliseconds; the median of some reads. */
  async statsMs(): Promise<number> {
    const took: number[] = [];
    for (let read = 0; read < 9; read += 1) {
      const started = performance.now();
      await this.stack.db.query(
        CAMPAIGN_STATS.replaceAll('$1', SQL.team(`${this.group.firstTeam}`)).replaceAll('$2', CAMPAIGN),
      );
      took.push(performance.now() - started);
    }
    return median(took);
  }

  /** Leaves the enrollments that wait, and nothing of those that were called. */
  async clean(): Promise<void> {
    const { db, redis } = this.stack;
    await db.query(`DELETE FROM call_requests WHERE ${MEASURED}`);
    const { beside } = await callsOfBuild(db);
    for (const table of beside) await db.query(`TRUNCATE ${table}`);
    await db.query('TRUNCATE enrollment_dials');
    await db.query(`DELETE FROM enrollments WHERE look_at IS NULL`);
    for (const name of ['call_requests', 'enrollments', 'plan_usage'])
      await db.query(`VACUUM ANALYZE ${name}`);
    await db.query('CHECKPOINT');
    await redis.flushall();
  }

  /** @param relation SQL behind `FROM`. */
  private async claims(relation: string): Promise<Claimed> {
    const { rows } = await this.stack.db.query<{ calls: number; seconds: number; first: Date | null }>(
      `SELECT count(claimed_at)::integer AS calls, min(claimed_at) AS first,
         extract(epoch FROM max(claimed_at) - min(claimed_at))::float8 AS seconds
       FROM ${relation}`,
    );
    const { calls, seconds, first } = rows[0] ?? { calls: 0, seconds: NaN, first: null };
    return { calls, perSecond: calls / seconds, first };
  }
}
