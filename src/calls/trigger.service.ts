import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { teamOfKey } from '../database/team-scope.js';
import { type Plan, type Planner, type Query, query, Transactions } from '../database/transactions.js';
import { decideTrigger, type TriggerDecision, type TriggerFacts } from '../domain/call-decision.js';
import { type CallState, type HistoryEntry } from '../domain/call-states.js';
import { expiryOf } from '../domain/expiry.js';
import { type Decision } from '../domain/guardrails.js';
import { type JsonObjectResult } from '../http/body.js';
import { isUuid } from '../http/validators.js';
import {
  type IdempotencyKey,
  judgeKey,
  openKey,
  type ParsedIdempotencyKey,
  storeAnswer,
} from '../idempotency/idempotency.js';
import { type DialJob } from '../queue/call-jobs.js';
import { CallQueue } from '../queue/call-queue.js';
import { hashApiKey } from '../teams/api-key.js';
import { Metrics } from '../telemetry/metrics.js';
import { type RequestTrace } from '../telemetry/request-trace.js';
import { answerOf } from './call-answers.js';
import { guardrailsOf, hoursOf, isNearPlanLimit } from './sql/facts.sql.js';
import { LOCK_NUMBER_OF_KEY, LOCK_TEAM_OF_KEY, type TeamLockRow } from './sql/locks.sql.js';
import {
  ACCESS,
  type AccessRow,
  callerIdFactsOf,
  STORE_CALL,
  TRIGGER_FACTS,
  type TriggerFactsRow,
} from './sql/trigger.sql.js';
import { parseTriggerRequest, type TriggerRequest } from './trigger-request.js';
import { refused, type TriggerResult } from './trigger-result.js';

/** A request to the call endpoint as it came in. */
export interface IncomingTrigger {
  agentId: string;
  /** The bearer key, or null where none was sent. */
  apiKey: string | null;
  body: JsonObjectResult;
  idempotencyKey: ParsedIdempotencyKey;
  trace: RequestTrace;
}

/** The plan's limit came near between the lock and the facts: only a shared lock is held, so the turn is taken again. */
const AGAIN = Symbol('again');

/** A request that is well-formed in itself. */
interface Asked {
  agentId: string;
  keyHash: Buffer;
  request: TriggerRequest;
  key: IdempotencyKey | null;
  trace: RequestTrace;
}

type Turn = { result: TriggerResult; wake?: { job: DialJob; delayMs: number } };

/** Contract 4.1: accepts, schedules or refuses a call, judged and stored in one transaction of two round trips. */
@Injectable()
export class TriggerService {
  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly metrics: Metrics,
  ) {}

  async trigger(incoming: IncomingTrigger): Promise<TriggerResult> {
    const result = await this.answer(incoming).catch(this.metrics.undecided('trigger'));
    this.metrics.decided('trigger', outcomeOf(result), result.kind === 'refused' ? result.reason : undefined);
    return result;
  }

  private async answer({
    agentId,
    apiKey,
    body,
    idempotencyKey,
    trace,
  }: IncomingTrigger): Promise<TriggerResult> {
    if (!isUuid(agentId)) return refused('AGENT_NOT_FOUND');
    const keyHash = hashApiKey(apiKey ?? '');
    if (!body.ok) return (await this.access(agentId, keyHash)).denied ?? refused(body.code, body.message);

    let request = parseTriggerRequest(body.value, null);
    if (!request.ok) {
      // The key comes before the body, and a national number needs the country of the key's team.
      const { denied, defaultCountry } = await this.access(agentId, keyHash);
      if (denied) return denied;
      if (defaultCountry !== null) request = parseTriggerRequest(body.value, defaultCountry);
      if (!request.ok) return refused(request.reason, request.message);
    }

    if (!idempotencyKey.ok) {
      const { denied } = await this.access(agentId, keyHash);
      return denied ?? refused('INVALID_REQUEST', idempotencyKey.message);
    }

    const asked: Asked = { agentId, keyHash, request: request.value, key: idempotencyKey.value, trace };
    let turn = await this.take(asked);
    while (turn === AGAIN) turn = await this.take(asked);
    if (turn.wake) await this.queue.wake(turn.wake.job, turn.wake.delayMs);
    return turn.result;
  }

  private async access(
    agentId: string,
    keyHash: Buffer,
  ): Promise<{ denied: TriggerResult | null; defaultCountry: string | null }> {
    const own = this.transactions.within(teamOfKey(keyHash));
    const [row] = await own.read<AccessRow>(query(ACCESS, keyHash, agentId));
    return { denied: deniedBy(row), defaultCountry: row?.default_country ?? null };
  }

  private take(asked: Asked): Promise<Turn | typeof AGAIN> {
    const { agentId, keyHash, key, request } = asked;
    const { phoneNumber, fromPhoneNumber, numberPoolId } = request;
    const facts = [
      query(LOCK_NUMBER_OF_KEY, keyHash, phoneNumber),
      query(LOCK_TEAM_OF_KEY, keyHash),
      query(TRIGGER_FACTS, keyHash, agentId, phoneNumber, fromPhoneNumber, numberPoolId),
    ];
    const judge: Planner<Turn | typeof AGAIN> = ([, locked, found]) => {
      const row = found?.rows[0] as TriggerFactsRow | undefined;
      const denied = deniedBy(row);
      if (denied !== null || row === undefined)
        return { rollback: { result: denied ?? refused('INTERNAL') } };
      const lock = locked?.rows[0] as TeamLockRow | undefined;
      if (isNearPlanLimit(row) && lock?.exclusive !== true) return { rollback: AGAIN };
      return planOf(asked, row);
    };
    // The first of the facts' statements names the team itself.
    if (key === null) return this.transactions.run(facts, judge);
    // The key first and by itself, so that a repetition answers at once instead of waiting behind the number's lock.
    const own = this.transactions.within(teamOfKey(keyHash));
    return own.run<Turn | typeof AGAIN>(
      [query(ACCESS, keyHash, agentId), ...openKey(keyHash, key)],
      ([access, locked, found]) => {
        const denied = deniedBy(access?.rows[0] as AccessRow | undefined);
        if (denied !== null) return { rollback: { result: denied } };
        const verdict = judgeKey(key, locked, found);
        switch (verdict.kind) {
          case 'fresh':
            return { next: facts, plan: judge };
          case 'replay':
            return { rollback: { result: { kind: 'replayed', answer: verdict.answer } } };
          case 'reused':
            return { rollback: { result: refused('IDEMPOTENCY_KEY_REUSED') } };
          case 'in_flight':
            return { rollback: { result: refused('IDEMPOTENCY_KEY_IN_FLIGHT') } };
        }
      },
    );
  }
}

/** The key is judged after the agent: that an agent exists is all that the contract reveals. */
function deniedBy(row: AccessRow | undefined): TriggerResult | null {
  if (!row?.agent_found) return refused('AGENT_NOT_FOUND');
  return row.team_id === null ? refused('INVALID_API_KEY') : null;
}

function outcomeOf(result: TriggerResult): string {
  return result.kind === 'accepted' && result.runsAt !== null ? 'scheduled' : result.kind;
}

function planOf({ agentId, request, key, trace }: Asked, row: TriggerFactsRow): Plan<Turn> {
  if (row.team_id !== null) trace.teamId = row.team_id;
  if (request.teamId !== null && request.teamId !== row.team_id) {
    return { rollback: { result: refused('INVALID_REQUEST', 'teamId must be the team of the API key') } };
  }
  const facts: TriggerFacts = {
    hours: hoursOf(row, request.contact.timezone),
    callerId: callerIdFactsOf(row, request),
    guardrails: guardrailsOf(row, request.country, false),
  };
  const decision = decideTrigger(facts, row.now);
  if (decision.kind === 'refused') return { rollback: { result: refused(decision.reason) } };
  const callRequestId = randomUUID();
  const job: DialJob = {
    callRequestId,
    generation: 0,
    requestId: trace.requestId,
    teamId: row.team_id ?? undefined,
    carrier: row.carrier ?? undefined,
  };
  const turn = turnOf(job, row.now, decision);
  const commit = [storeCall(callRequestId, agentId, request, row, decision)];
  if (key !== null && row.team_id !== null) commit.push(storeAnswer(row.team_id, key, answerOf(turn.result)));
  return { commit, value: () => turn };
}

function turnOf(job: DialJob, now: Date, decision: Exclude<TriggerDecision, { kind: 'refused' }>): Turn {
  const { callRequestId } = job;
  switch (decision.kind) {
    case 'blocked':
      return { result: refused(decision.reason) };
    case 'queued':
      return {
        result: { kind: 'accepted', callRequestId, runsAt: null },
        wake: { job, delayMs: 0 },
      };
    case 'scheduled':
      return {
        result: { kind: 'accepted', callRequestId, runsAt: decision.runsAt },
        wake: { job, delayMs: decision.runsAt.getTime() - now.getTime() },
      };
  }
}

function storeCall(
  id: string,
  agentId: string,
  request: TriggerRequest,
  row: TriggerFactsRow,
  decision: Exclude<TriggerDecision, { kind: 'refused' }>,
): Query {
  const { contact } = request;
  const now = row.now;
  const status: CallState = decision.kind;
  const runsAt = decision.kind === 'scheduled' ? decision.runsAt : now;
  const birth: HistoryEntry = { at: now.toISOString(), from: null, to: status, cause: 'triggered' };
  const decisions: Decision[] = decision.kind === 'scheduled' ? [] : [decision.decision];
  return query(
    STORE_CALL,
    ...[row.team_id, request.phoneNumber],
    ...[contact.name, contact.email, contact.companyName, contact.companyWebsite, contact.timezone],
    ...[id, agentId, status, decision.kind === 'blocked' ? decision.reason : null],
    ...[contact.timezone, request.fromPhoneNumber, request.numberPoolId, JSON.stringify(request.variables)],
    ...[now, runsAt, expiryOf(now, runsAt)],
    ...[decision.kind === 'queued', row.monthly_call_limit !== null],
    ...[decision.kind === 'blocked' ? now : null, JSON.stringify([birth]), JSON.stringify(decisions)],
  );
}
