import { Injectable } from '@nestjs/common';
import { Batcher } from '../../database/batcher.js';
import { type LocksToWaitFor, type Outcome } from '../../database/batch-work.js';
import { limitLockWaits, teamOfKey } from '../../database/team-scope.js';
import { TeamSemaphore } from '../../database/team-semaphore.js';
import { type Query, query, Transactions } from '../../database/transactions.js';
import { type JsonObjectResult } from '../../http/body.js';
import { type ParsedIdempotencyKey } from '../../idempotency/idempotency.js';
import { FIND_ANSWERS } from '../../idempotency/idempotency.sql.js';
import { CallQueue } from '../../queue/call-queue.js';
import { type AdmittedKey } from '../../teams/key-of-request.js';
import { Metrics } from '../../telemetry/metrics.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { runBehindLocks } from '../shared/behind-locks.js';
import {
  LOCK_NUMBER_OF_KEY,
  LOCK_TEAM_OF_KEY,
  type TriedRequestLocksRow,
  TRY_LOCKS_OF_REQUESTS,
} from '../shared/locks.sql.js';
import { ACCESS, type AccessRow, TRIGGER_FACTS, type TriggerFactsRow } from './trigger.sql.js';
import { planBatch, type TriggerBatchFacts } from './batch.js';
import { parseTriggerRequest } from './request.js';
import { refused, type TriggerResult } from './result.js';
import { deniedBy, type TriggerCommand, type TriggerOutcome } from './decide.js';

/** A request to the call endpoint as it came in. */
export interface IncomingTrigger extends AdmittedKey {
  agentId: string;
  body: JsonObjectResult;
  idempotencyKey: ParsedIdempotencyKey;
  trace: RequestTrace;
}

/** Contract 4.1: accepts, schedules or refuses a call, judged and stored in one transaction of two round trips. */
@Injectable()
export class TriggerService {
  private readonly batcher: Batcher<TriggerCommand, TriggerOutcome>;
  /** Requests with an `Idempotency-Key` that wait for a lock: their repetitions are refused at once. */
  private readonly waiting = new Map<string, TriggerCommand>();

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly metrics: Metrics,
    semaphore: TeamSemaphore,
  ) {
    this.batcher = new Batcher<TriggerCommand, TriggerOutcome>(
      {
        run: (commands, wait) => this.decide(commands, wait),
        teamOf: ({ teamId }) => teamId,
        keyOf: ({ teamId, request }) => `${teamId} ${request.phoneNumber}`,
      },
      semaphore,
    );
  }

  async trigger(incoming: IncomingTrigger): Promise<TriggerResult> {
    const result = await this.answer(incoming).catch(this.metrics.undecided('trigger'));
    this.metrics.decided('trigger', outcomeOf(result), result.kind === 'refused' ? result.reason : undefined);
    return result;
  }

  private async answer({
    agentId,
    keyHash,
    teamId,
    body,
    idempotencyKey,
    trace,
  }: IncomingTrigger): Promise<TriggerResult> {
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

    return this.handle({
      teamId,
      agentId,
      keyHash,
      request: request.value,
      key: idempotencyKey.value,
      trace,
    });
  }

  private async handle(command: TriggerCommand): Promise<TriggerResult> {
    const repetition = command.key === null ? null : repetitionOf(command);
    if (repetition !== null && this.waiting.has(repetition)) return refused('IDEMPOTENCY_KEY_IN_FLIGHT');
    try {
      const { result, wake } = await this.batcher.add(command);
      if (wake) await this.queue.wake(wake.job, wake.delayMs);
      return result;
    } finally {
      if (repetition !== null && this.waiting.get(repetition) === command) this.waiting.delete(repetition);
    }
  }

  private async access(
    agentId: string,
    keyHash: Buffer,
  ): Promise<{ denied: TriggerResult | null; defaultCountry: string | null }> {
    const own = this.transactions.within(teamOfKey(keyHash));
    const [row] = await own.read<AccessRow>(query(ACCESS, keyHash, agentId));
    return { denied: deniedBy(row), defaultCountry: row?.default_country ?? null };
  }

  private async decide(commands: TriggerCommand[], wait: LocksToWaitFor): Promise<Outcome<TriggerOutcome>[]> {
    const keys = commands.map(({ key }) => key?.key ?? null);
    const keyed = keys.some((key) => key !== null);
    const findAnswers = keyed ? [query(FIND_ANSWERS, hashesOf(commands), keys)] : [];
    const outcomes = await runBehindLocks(this.transactions, commands, wait, {
      waits: locksToWaitFor(commands, wait),
      facts: [tryLocks(commands, wait), ...findAnswers, triggerFacts(commands)],
      plan: (results) => {
        const rows = results.map((result) => result.rows as unknown[]);
        return planBatch(commands, {
          locked: rows[0]?.[0] as TriedRequestLocksRow,
          answers: (keyed ? rows[1] : []) as TriggerBatchFacts['answers'],
          rows: rows.at(-1) as TriggerFactsRow[],
        });
      },
    });
    commands.forEach((command, n) => {
      if (!outcomes[n]?.done && command.key !== null) this.waiting.set(repetitionOf(command), command);
    });
    return outcomes;
  }
}

/** The same for all that repeat a request with an `Idempotency-Key`. */
function repetitionOf({ teamId, key }: TriggerCommand): string {
  return `${teamId} ${key?.fingerprint.toString('base64')} ${key?.key}`;
}

function outcomeOf(result: TriggerResult): string {
  return result.kind === 'accepted' && result.runsAt !== null ? 'scheduled' : result.kind;
}

function locksToWaitFor([command]: TriggerCommand[], wait: LocksToWaitFor): Query[] {
  if (command === undefined || wait === 'none') return [];
  const { keyHash, request } = command;
  const number = wait === 'all' ? [query(LOCK_NUMBER_OF_KEY, keyHash, request.phoneNumber)] : [];
  return [teamOfKey(keyHash), limitLockWaits(), ...number, query(LOCK_TEAM_OF_KEY, keyHash)];
}

function tryLocks(commands: TriggerCommand[], wait: LocksToWaitFor): Query {
  const keys = commands.map(({ key }) => key?.key ?? null);
  return query(TRY_LOCKS_OF_REQUESTS, hashesOf(commands), numbersOf(commands), keys, wait !== 'none');
}

function triggerFacts(commands: TriggerCommand[]): Query {
  const requests = commands.map(({ request }) => request);
  return query(
    TRIGGER_FACTS,
    hashesOf(commands),
    commands.map(({ agentId }) => agentId),
    numbersOf(commands),
    requests.map(({ fromPhoneNumber }) => fromPhoneNumber),
    requests.map(({ numberPoolId }) => numberPoolId),
  );
}

function hashesOf(commands: TriggerCommand[]): Buffer[] {
  return commands.map(({ keyHash }) => keyHash);
}

function numbersOf(commands: TriggerCommand[]): string[] {
  return commands.map(({ request }) => request.phoneNumber);
}
