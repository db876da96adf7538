import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ExplainService, type ExplainResult } from '../../../src/calls/explain/explain.service.js';
import { type TriggerResult } from '../../../src/calls/trigger/command.js';
import { REFUSALS } from '../../../src/calls/trigger/refusals.js';
import { hashApiKey } from '../../../src/teams/api-key.js';
import {
  buildAgent,
  buildCall,
  buildContact,
  buildPool,
  insertRow,
  type Row,
} from '../../support/builders.js';
import { buildCaller, type Caller, weekdays } from '../../support/call-builders.js';
import { ANY_TIME } from '../../../src/domain/call-window.js';
import { type Calling } from '../../support/calling.js';
import { randomFrom } from '../../support/random.js';
import { triggerDirectly } from '../../support/trigger-directly.js';

/**
 * The instant at which the clock is stopped: a Wednesday, inside the weekly hours of some zones and outside
 * those of others.
 */
export const STOPPED_AT = '2026-06-17T15:30:00.000Z';

const HOUR_MS = 3_600_000;
const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'UTC'];
const NUMBERS = 6;

type Random = <T>(choices: readonly T[]) => T;

/** A team with agents, numbers and histories. */
interface Stage {
  caller: Caller;
  agents: string[];
  numbers: string[];
  poolIds: string[];
}

/**
 * Explains random requests and then triggers each of them, in teams beside each other.
 *
 * @returns what was explained other than it was then done, and how often each outcome came.
 */
export async function playExplanations(
  calling: Calling,
  { seed, teams, requests }: { seed: number; teams: number; requests: number },
): Promise<{ disagreements: string[]; outcomes: Map<string, number> }> {
  const disagreements: string[] = [];
  const outcomes = new Map<string, number>();
  const play = async (team: number) => {
    const next = randomFrom(seed + team);
    const random: Random = (choices) => choices[Math.floor(next() * choices.length)] as never;
    const stage = await buildStage(calling, random, `+1212555${1000 + (team % 9000)}`);
    for (let n = 0; n < requests; n += 1) {
      const [agentId, body] = [random(stage.agents), requestOf(stage, random)];
      const said = await explainDirectly(calling, { ...stage.caller, agentId }, body);
      const done = await triggerDirectly(calling, { ...stage.caller, agentId }, body);
      const fault = await disagreement(calling, said, done);
      if (fault !== null) disagreements.push(`team ${team}, request ${n}: ${fault}; ${JSON.stringify(body)}`);
      const outcome =
        said.kind === 'explained' ? (said.explanation.reason ?? said.explanation.wouldBe) : said.kind;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: teams }, (_, team) => play(team)));
  return { disagreements, outcomes };
}

export function explainDirectly(
  calling: Calling,
  { agentId, apiKey, teamId }: Pick<Caller, 'agentId' | 'apiKey' | 'teamId'>,
  body: Record<string, unknown>,
): Promise<ExplainResult> {
  return calling.api.get(ExplainService).explain({
    agentId,
    keyHash: hashApiKey(apiKey),
    teamId,
    scopes: null,
    body: { ok: true, value: body },
    window: { ok: true, value: ANY_TIME },
    idempotencyKey: { ok: true, value: null },
    trace: { requestId: randomUUID() },
  });
}

async function disagreement(
  calling: Calling,
  said: ExplainResult,
  done: TriggerResult,
): Promise<string | null> {
  const both = () => `explained ${JSON.stringify(said)}, done ${JSON.stringify(done)}`;
  if (said.kind !== 'explained') return isDeepStrictEqual(said, done) ? null : both();
  const { wouldBe, status, reason, message, runsAt, rules, firstAllowedAt } = said.explanation;
  if (done.kind === 'refused') {
    const same = wouldBe === 'refused' && reason === done.reason && message === done.message;
    return same && status === REFUSALS[done.reason].status && firstAllowedAt !== STOPPED_AT ? null : both();
  }
  if (done.kind !== 'accepted' || status !== 200 || reason !== null) return both();
  if (done.runsAt !== null)
    return wouldBe === 'scheduled' && runsAt === done.runsAt.toISOString() ? null : both();
  if (wouldBe !== 'queued' || runsAt !== null || firstAllowedAt !== STOPPED_AT) return both();
  const [decision] = (await calling.row(done.callRequestId)).decisions;
  return isDeepStrictEqual(rules, decision?.rules) ? null : both();
}

async function buildStage({ db }: Calling, random: Random, own: string): Promise<Stage> {
  const limit = () => random([null, null, null, 1, 2]);
  const caller = await buildCaller(
    db,
    {
      default_country: random([null, 'US']),
      allowed_countries: random([null, null, ['US'], ['US', 'DE'], ['DE']]),
      whitelist_only: random([false, false, true]),
      monthly_call_limit: random([null, null, 0, 3, 1000]),
      number_daily_limit: limit(),
      number_weekly_limit: limit(),
      number_monthly_limit: limit(),
    },
    hoursOf(random),
  );
  const { teamId } = caller;
  const pool = async (numbers: string[]) => {
    const { id } = await buildPool(db, teamId);
    for (const phone_number of numbers)
      await insertRow(db, 'number_pool_members', { team_id: teamId, number_pool_id: id, phone_number });
    return id;
  };
  const poolIds = [await pool([caller.callerNumber]), await pool([])];
  const agents = [caller.agentId];
  for (const source of [{}, { number_pool_id: random(poolIds) }])
    agents.push((await buildAgent(db, teamId, { ...hoursOf(random), ...source })).id);
  const numbers: string[] = [];
  for (let n = 0; n < NUMBERS; n += 1) {
    const phone_number = n === 0 ? '+4930901820' : `${own}`.replace(/\d$/, String(n));
    numbers.push(phone_number);
    await buildHistory(db, caller, phone_number, random);
  }
  return { caller, agents, numbers, poolIds };
}

const hoursOf = (random: Random): Row => random([{}, weekdays(random(ZONES)), weekdays(random(ZONES))]);

async function buildHistory(
  db: Calling['db'],
  { teamId, agentId, callerNumber }: Caller,
  phone_number: string,
  random: Random,
): Promise<void> {
  const row = { team_id: teamId, phone_number };
  if (random([true, false, false, false])) await insertRow(db, 'do_not_call', row);
  if (random([true, false])) await insertRow(db, 'whitelist', row);
  if (random([true, false])) return;
  const contact = await buildContact(db, teamId, { phone_number, timezone: random([null, ...ZONES]) });
  const keys = { ...row, agent_id: agentId, contact_id: contact.id };
  const now = Date.parse(STOPPED_AT);
  for (let n = random([0, 0, 1, 2]); n > 0; n -= 1) {
    const at = new Date(now - random([1, 11.9, 12, 12.1, 24, 25, 167, 168, 300, 719, 721]) * HOUR_MS);
    const claimed = { claimed_at: at, processed_at: at, caller_id: callerNumber };
    await buildCall(db, keys, { status: 'completed', accepted_at: at, ended_at: at, ...claimed });
  }
  const expiry = random([null, null, 1, -1]);
  if (expiry !== null) {
    const at = new Date(now - HOUR_MS);
    const expires_at = new Date(now + expiry * HOUR_MS);
    await buildCall(db, keys, { status: 'scheduled', accepted_at: at, runs_at: at, expires_at, phase: -1 });
  }
}

/** Mostly a valid request. */
function requestOf({ caller, numbers, poolIds }: Stage, random: Random): Record<string, unknown> {
  const phoneNumber = random([...numbers, ...numbers, '415 555 2671', 'x']);
  const maybe = (fields: Record<string, unknown>) => random([{}, {}, {}, fields]);
  return {
    phoneNumber,
    ...maybe({ timezone: random([...ZONES, 'Mars']) }),
    ...maybe({ fromPhoneNumber: random([caller.callerNumber, '+14155550000', 'x']) }),
    ...maybe({ numberPoolId: random([...poolIds, randomUUID(), 'x']) }),
    ...maybe({ teamId: random([caller.teamId, randomUUID()]) }),
    ...maybe({ topic: 'price', name: 'Ada' }),
  };
}
