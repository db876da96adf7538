import { Injectable } from '@nestjs/common';
import { teamOfKey } from '../database/team-scope.js';
import { ALONE, Batcher } from '../database/batcher.js';
import { type Planner, type Query, query, Transactions } from '../database/transactions.js';
import { type JsonObjectResult } from '../http/body.js';
import { isUuid } from '../http/validators.js';
import { judgeKey, openKey, type ParsedIdempotencyKey, storeAnswer } from '../idempotency/idempotency.js';
import { CallQueue } from '../queue/call-queue.js';
import { hashApiKey } from '../teams/api-key.js';
import { Metrics } from '../telemetry/metrics.js';
import { type RequestTrace } from '../telemetry/request-trace.js';
import { answerOf } from './call-answers.js';
import {
  type FreeLocksRow,
  LOCK_FREE_OF_KEYS,
  LOCK_NUMBER_OF_KEY,
  LOCK_TEAM_OF_KEY,
  type TeamLockRow,
} from './sql/locks.sql.js';
import {
  ACCESS,
  type AccessRow,
  type NewCall,
  STORE_CALLS,
  TRIGGER_FACTS,
  type TriggerFactsRow,
} from './sql/trigger.sql.js';
import { parseTriggerRequest } from './trigger-request.js';
import { refused, type TriggerResult } from './trigger-result.js';
import { type Asked, deniedBy, foreignTeam, judge, type Turn } from './trigger-verdict.js';
import { judgeUnder } from './under-lock.js';

/** A request to the call endpoint as it came in. */
export interface IncomingTrigger {
  agentId: string;
  /** The bearer key, or null where none was sent. */
  apiKey: string | null;
  body: JsonObjectResult;
  idempotencyKey: ParsedIdempotencyKey;
  trace: RequestTrace;
}

/** Contract 4.1: accepts, schedules or refuses a call, judged and stored in one transaction of two round trips. */
@Injectable()
export class TriggerService {
  private readonly batcher = new Batcher<Asked, Turn>(
    (all) => this.takeTogether(all),
    (one) => this.takeAlone(one),
  );

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
    // With a key there is a round trip more, and an answer to store.
    const turn = await (asked.key === null ? this.batcher.add(asked) : this.takeAlone(asked));
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

  /** Those whose locks are free. */
  private takeTogether(all: Asked[]): Promise<(Turn | typeof ALONE)[]> {
    const keyHashes = all.map(({ keyHash }) => keyHash);
    const numbers = all.map(({ request }) => request.phoneNumber);
    return this.transactions.run<(Turn | typeof ALONE)[]>(
      [query(LOCK_FREE_OF_KEYS, keyHashes, numbers), triggerFacts(all)],
      ([locked, found]) => {
        const { locks } = locked?.rows[0] as FreeLocksRow;
        const rows = (found?.rows ?? []) as TriggerFactsRow[];
        const calls: NewCall[] = [];
        const turns = all.map((asked, index) => {
          const verdict = judgeUnder(locks[index], (exclusive) => judge(asked, rows[index], exclusive));
          if (verdict === ALONE) return ALONE;
          if (verdict.call) calls.push(verdict.call);
          return verdict.turn;
        });
        return calls.length === 0 ? { rollback: turns } : { commit: [storeCalls(calls)], value: () => turns };
      },
    );
  }

  /** Waits for its locks. */
  private async takeAlone(asked: Asked): Promise<Turn> {
    for (;;) {
      const turn = await this.tryAlone(asked);
      // It came near between the lock and the facts.
      if (turn !== ALONE) return turn;
    }
  }

  private tryAlone(asked: Asked): Promise<Turn | typeof ALONE> {
    const { agentId, keyHash, key, request } = asked;
    const facts = [
      query(LOCK_NUMBER_OF_KEY, keyHash, request.phoneNumber),
      query(LOCK_TEAM_OF_KEY, keyHash),
      triggerFacts([asked]),
    ];
    const decide: Planner<Turn | typeof ALONE> = ([, locked, found]) => {
      const row = found?.rows[0] as TriggerFactsRow | undefined;
      const lock = locked?.rows[0] as TeamLockRow | undefined;
      const verdict = judge(asked, row, lock?.exclusive === true);
      if (verdict === ALONE) return { rollback: ALONE };
      const { turn, call } = verdict;
      if (call === undefined) return { rollback: turn };
      const commit = [storeCalls([call])];
      if (key !== null && call.team_id !== null) {
        commit.push(storeAnswer(call.team_id, key, answerOf(turn.result)));
      }
      return { commit, value: () => turn };
    };
    // The first of the facts' statements names the team itself.
    if (key === null) return this.transactions.run(facts, decide);
    // The key first and by itself, so that a repetition answers at once instead of waiting behind the number's lock.
    const own = this.transactions.within(teamOfKey(keyHash));
    return own.run<Turn | typeof ALONE>(
      [query(ACCESS, keyHash, agentId), ...openKey(keyHash, key)],
      ([access, locked, found]) => {
        const row = access?.rows[0] as AccessRow | undefined;
        const denied = deniedBy(row) ?? (row && foreignTeam(request, row)) ?? null;
        if (denied !== null) return { rollback: { result: denied } };
        const verdict = judgeKey(key, locked, found);
        switch (verdict.kind) {
          case 'fresh':
            return { next: facts, plan: decide };
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

function outcomeOf(result: TriggerResult): string {
  return result.kind === 'accepted' && result.runsAt !== null ? 'scheduled' : result.kind;
}

function triggerFacts(all: Asked[]): Query {
  const requests = all.map(({ request }) => request);
  return query(
    TRIGGER_FACTS,
    all.map(({ keyHash }) => keyHash),
    all.map(({ agentId }) => agentId),
    requests.map(({ phoneNumber }) => phoneNumber),
    requests.map(({ fromPhoneNumber }) => fromPhoneNumber),
    requests.map(({ numberPoolId }) => numberPoolId),
  );
}

function storeCalls(calls: NewCall[]): Query {
  return query(STORE_CALLS, JSON.stringify(calls));
}
