import { createHash, randomBytes } from 'node:crypto';
import { type Pool } from 'pg';
import { type TeamLimits } from './history.js';
import { type Random } from './random.js';

const MINUTE_MS = 60_000;
/** Longer than any run. */
const HORIZON_MINUTES = 120;

/**
 * How often a destination is answered so; each has an area code of its own, by which the simulator recognizes
 * it.
 */
const OUTCOMES = [
  ['completed', 70, '212'],
  ['busy', 4, '213'],
  ['no_answer', 4, '312'],
  ['voicemail', 3, '415'],
  ['failed', 3, '617'],
  ['refuse', 3, '702'],
  ['error', 2, '303'],
  ['reset', 2, '404'],
  ['silent', 2, '602'],
  ['duplicate', 3, '713'],
  ['disorder', 2, '214'],
  ['hang', 1, '206'],
  ['late', 1, '512'],
] as const;

/** Numbers that answer and opt out: the simulator reports the result with the end of the call. */
const OPTING_OUT_AREA = '816';
/** The same as a pattern of SQL. */
export const OPTING_OUT = `+1${OPTING_OUT_AREA}%`;

const RULES_OF_OUTCOMES = OUTCOMES.map(([outcome, , area]) => ({ match: `+1${area}*`, outcome }));

/** The simulator's rules by area code. */
export const SIMULATOR_RULES = [
  ...RULES_OF_OUTCOMES,
  {
    match: `+1${OPTING_OUT_AREA}*`,
    outcome: 'completed',
    result: { disposition: 'angry', optOut: true },
  },
];

/**
 * Once the clock was moved, no number is added to Do Not Call. A list's commits have the clock of the
 * machine, claims have the moved one.
 */
export const LATER_RULES = [...RULES_OF_OUTCOMES, { match: `+1${OPTING_OUT_AREA}*`, outcome: 'no_answer' }];

/** A team with its one agent. */
export interface Tenant {
  name: string;
  teamId: string;
  agentId: string;
  apiKey: string;
  limits: TeamLimits;
  /** When its agent may dial; null is always. */
  openings: [number, number][] | null;
  /** Whether it enforces the pack of the run, so that a call may wait for an opening of it. */
  hasPack: boolean;
  /** Of a hundred calls so many are this team's. */
  share: number;
}

/** Destinations, each given once. */
export class Numbers {
  private given = 0;
  private readonly weighted = OUTCOMES.flatMap(([, weight, area]) => Array<string>(weight).fill(area));

  constructor(private readonly random: Random) {}

  /** @param outcome what the carrier makes of it; by default chosen by weight. */
  next(outcome?: (typeof OUTCOMES)[number][0]): string {
    return this.numberIn(OUTCOMES.find(([name]) => name === outcome)?.[2] ?? this.random.pick(this.weighted));
  }

  /** One that answers, and whose result opts out. */
  optingOut(): string {
    return this.numberIn(OPTING_OUT_AREA);
  }

  private numberIn(area: string): string {
    this.given += 1;
    const exchange = 220 + Math.floor(this.given / 10_000);
    return `+1${area}${exchange}${String(this.given % 10_000).padStart(4, '0')}`;
  }
}

const NO_LIMITS: TeamLimits = { monthly: null, daily: null, weekly: null, monthlyPerNumber: null };

/** By this much the clock moves on once all is quiet. */
export const LATER = '13 hours';
/** And by this much at last: the lifetime of every enrollment is over. */
export const LIFETIMES_LATER = '40 hours';
/** And then every retry of a webhook is due: the longest pause is of 24 hours and a tenth more. */
export const RETRIES_LATER = '70 hours';
const HOUR_MS = 60 * MINUTE_MS;
/** Fewer than its calls need at times, and more than a few lost answers occupy. */
const FEW_CONCURRENCY_SLOTS = 4;

/**
 * The teams of a run: one without limits, one with few concurrency slots, one whose plan is too small, one
 * with limits per number. The hours of another open and close every minute, one opens only after the clock has
 * moved on, and the last one has a pack.
 *
 * @param calls how many will be placed.
 * @param carrierSettings of each team's agent, for the deployment's carrier.
 */
export async function createTenants(db: Pool, calls: number, carrierSettings: object): Promise<Tenant[]> {
  const create = (...tenant: TenantFields) => insertTenant(db, carrierSettings, ...tenant);
  const minute = minuteOf(Date.now());
  return [
    await create('free', 35, NO_LIMITS, null),
    await create('few concurrency slots', 10, NO_LIMITS, null, FEW_CONCURRENCY_SLOTS),
    await create('small plan', 15, { ...NO_LIMITS, monthly: Math.ceil(calls * 0.1) }, null),
    await create('number limits', 10, { ...NO_LIMITS, daily: 1, weekly: 2, monthlyPerNumber: 2 }, null),
    await create('every other minute', 12, NO_LIMITS, everyOtherMinute(minute)),
    await create('later', 8, NO_LIMITS, [[minute + 12 * HOUR_MS, minute + 16 * HOUR_MS]]),
    { ...(await create('pack', 10, NO_LIMITS, null)), hasPack: true },
  ];
}

/**
 * The teams whose campaigns are played; only campaigns, and calls beside them, dial for these.
 *
 * @param attempts how many dials there will be.
 */
export async function createCampaignTeams(
  db: Pool,
  attempts: number,
  carrierSettings: object,
): Promise<Tenant[]> {
  const small = { ...NO_LIMITS, monthly: Math.ceil(attempts * 0.02) };
  const teams = [
    await insertTenant(db, carrierSettings, 'retrying', 0, NO_LIMITS, null),
    await insertTenant(db, carrierSettings, 'strict', 0, NO_LIMITS, null),
    await insertTenant(db, carrierSettings, 'small plan', 0, small, null),
  ];
  await db.query(`UPDATE teams SET retry_within_redial_window = (name <> 'strict') WHERE id = ANY($1)`, [
    teams.map(({ teamId }) => teamId),
  ]);
  return teams;
}

type TenantFields = [
  name: string,
  share: number,
  limits: TeamLimits,
  openings: [number, number][] | null,
  concurrencySlots?: number | null,
];

async function insertTenant(
  db: Pool,
  carrierSettings: object,
  ...[name, share, limits, openings, concurrencySlots = null]: TenantFields
): Promise<Tenant> {
  const apiKey = `od_test_${randomBytes(16).toString('hex')}`;
  const hash = createHash('sha256').update(apiKey).digest();
  const { rows } = await db.query<{ team_id: string; agent_id: string }>(
    `WITH team AS (
       INSERT INTO teams (name, monthly_call_limit, number_daily_limit, number_weekly_limit, number_monthly_limit,
         max_concurrent_calls)
       VALUES ($1, $2, $3, $4, $5, $8) RETURNING id
     ), key AS (
       INSERT INTO api_keys (team_id, name, prefix, key_hash) SELECT id, 'Key', 'od_test', $6 FROM team
     ), number AS (
       INSERT INTO phone_numbers (team_id, phone_number) SELECT id, '+16502530000' FROM team RETURNING team_id
     )
     INSERT INTO voice_agents (team_id, name, timezone, calling_hours, outbound_phone_number, carrier_settings)
     SELECT team_id, $1, 'UTC', $7, '+16502530000', $9 FROM number RETURNING team_id, id AS agent_id`,
    [
      name,
      limits.monthly,
      limits.daily,
      limits.weekly,
      limits.monthlyPerNumber,
      hash,
      openings === null ? null : JSON.stringify(weekly(openings)),
      concurrencySlots,
      JSON.stringify(carrierSettings),
    ],
  );
  const [row] = rows;
  if (!row) throw new Error(`the team "${name}" was not created`);
  return {
    name,
    teamId: row.team_id,
    agentId: row.agent_id,
    apiKey,
    limits,
    openings,
    hasPack: false,
    share,
  };
}

const minuteOf = (at: number) => Math.floor(at / MINUTE_MS) * MINUTE_MS;

/** Openings of a minute each from an instant on, with a minute between them. */
export function everyOtherMinute(from: number): [number, number][] {
  const first = minuteOf(from);
  return Array.from({ length: HORIZON_MINUTES / 2 }, (_, i) => [
    first + 2 * i * MINUTE_MS,
    first + (2 * i + 1) * MINUTE_MS,
  ]);
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Calling hours in UTC that are open in exactly these whole minutes of this week. */
export function weekly(
  openings: readonly [number, number][],
): Record<string, { start: string; end: string }[]> {
  const hours: Record<string, { start: string; end: string }[]> = {};
  for (const [from, to] of openings) {
    const day = DAYS[new Date(from).getUTCDay()] as string;
    (hours[day] ??= []).push({ start: timeOf(from), end: timeOf(to) });
  }
  return hours;
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}
