import { Injectable } from '@nestjs/common';
import {
  Batchers,
  type ItemBatcher,
  type LocksToWaitFor,
  type ItemResult,
} from '../../database/batch-work.js';
import { query, Transactions } from '../../database/transactions.js';
import { personNumber } from '../../domain/person-number.js';
import { ErasedForms } from '../../domain/erased-number.js';
import { type KeyedRequest, keyWarnings, readKeyed } from '../../teams/keyed-request.js';
import { FIND_ANSWERS } from '../../idempotency/idempotency.sql.js';
import { WakeUps } from '../../queue/wake-ups.js';
import { Metrics } from '../../telemetry/metrics.js';
import { decideEach, runUnderLocks } from '../../dialing/facts/under-locks.js';
import { type ErasedFacts, readErasedFacts } from '../../dialing/facts/facts.js';
import { STORE_CALLS } from './trigger.sql.js';
import { CALL_KEYS, parseTriggerRequest } from './request.js';
import { refused, type TriggerCommand, type TriggerOutcome, type TriggerResult } from './command.js';
import { decide, decideEarly } from './decide.js';
import { accessOf, locksToWaitFor, readFacts, teamOfFault, TriggerBatchFacts } from './facts.js';
import { type DecidedTrigger, persist } from './persist.js';

/** A request to the call endpoint as it came in. */
export interface IncomingTrigger extends KeyedRequest {
  agentId: string;
}

/**
 * Contract 4.1: accepts, schedules or refuses a call. A batch reads its facts, decides and persists in one
 * transaction, usually in two round trips. Waiting for locks costs a further one, and so do the facts of
 * erased numbers.
 */
@Injectable()
export class TriggerService {
  private readonly batcher: ItemBatcher<TriggerCommand, TriggerOutcome>;
  /** Requests with an `Idempotency-Key` that wait for a lock: their repetitions are refused at once. */
  private readonly waiting = new Map<string, TriggerCommand>();

  constructor(
    private readonly transactions: Transactions,
    private readonly wakeUps: WakeUps,
    private readonly metrics: Metrics,
    private readonly erasedNumbers: ErasedForms,
    batchers: Batchers,
  ) {
    this.batcher = batchers.of<TriggerCommand, TriggerOutcome>({
      run: (commands, locks) => this.run(commands, locks),
      teamOf: ({ teamId }) => teamId,
      keyOf: ({ teamId, request }) => `${teamId} ${personNumber(request.phoneNumber)}`,
    });
  }

  /**
   * Contract 4.1. @throws the error that prevented an answer. After a `CommitUnknownError`, the call may be
   * stored.
   */
  async trigger(incoming: IncomingTrigger): Promise<TriggerResult> {
    const result = await this.answer(incoming).catch(this.metrics.undecided('trigger'));
    this.metrics.decided('trigger', outcomeOf(result), result.kind === 'refused' ? result.reason : undefined);
    return result;
  }

  /**
   * Prepares all connections for triggers.
   * @throws the database's error. A connection is then prepared when a trigger first uses it.
   */
  async warmUp(): Promise<void> {
    const keyed = query(FIND_ANSWERS, [], []);
    await this.transactions.warmUp([...readFacts([], 'none'), keyed, query(STORE_CALLS, '[]')]);
  }

  private async answer(incoming: IncomingTrigger): Promise<TriggerResult> {
    const { agentId, keyHash, trace } = incoming;
    const read = await readKeyed(incoming, parseTriggerRequest, () =>
      teamOfFault(this.transactions, agentId, keyHash),
    );
    const warned = keyWarnings(incoming, CALL_KEYS);
    if (!read.ok) return refused(read.reason, read.message, read.problems, warned);
    const { teamId, key, value: request } = read.value;
    return this.handle({ teamId, agentId, keyHash, request, warned, key, trace });
  }

  private async handle(command: TriggerCommand): Promise<TriggerResult> {
    const repetition = command.key === null ? null : repetitionOf(command);
    if (repetition !== null && this.waiting.has(repetition)) return refused('IDEMPOTENCY_KEY_IN_FLIGHT');
    try {
      const { result, wake } = await this.batcher.add(command);
      if (wake) await this.wake(wake);
      return result;
    } finally {
      if (repetition !== null && this.waiting.get(repetition) === command) this.waiting.delete(repetition);
    }
  }

  /**
   * The answer does not depend on Redis. If the job is delayed, the answer waits up to a second for Redis,
   * because operations staff may look for the job.
   */
  private async wake({ job, delayMs }: NonNullable<TriggerOutcome['wake']>): Promise<void> {
    const added = this.wakeUps.wake(job, delayMs);
    if (delayMs > 0) await added;
  }

  private async run(
    commands: TriggerCommand[],
    locks: LocksToWaitFor,
  ): Promise<ItemResult<TriggerOutcome>[]> {
    const outcomes = await runUnderLocks(this.transactions, commands, locks, {
      waits: locksToWaitFor(commands, locks),
      facts: readFacts(commands, locks),
      decide: (results) => {
        const facts = new TriggerBatchFacts(results);
        return readErasedFacts(this.erasedNumbers, facts.erasableNumbers(commands), (erased) =>
          persist(decideEach(commands, (command, n) => decideOne(command, facts, erased, n))),
        );
      },
    });
    commands.forEach((command, n) => {
      if (!outcomes[n]?.done && command.key !== null) this.waiting.set(repetitionOf(command), command);
    });
    return outcomes;
  }
}

/** @returns null where a lock is missing. */
function decideOne(
  command: TriggerCommand,
  facts: TriggerBatchFacts,
  erased: ErasedFacts,
  n: number,
): DecidedTrigger | null {
  const row = facts.rowOf(n);
  const decided = { command, row, callRequestId: row.new_call_id };
  const early = decideEarly(accessOf(row), command.request.teamId, () => facts.earlierUseOf(command, n));
  if (row.agent_found && row.team_id !== null) command.trace.teamId = row.team_id;
  if (early !== null) return { ...decided, decision: early };
  if (!facts.isLocked(n)) return null;
  const decision = decide(facts.factsOf(command, n, erased), row.now);
  facts.add(n, decision);
  return { ...decided, decision };
}

/** Identifies a request and its repetitions with the same `Idempotency-Key`. */
function repetitionOf({ teamId, key }: TriggerCommand): string {
  return `${teamId} ${key?.fingerprint.toString('base64')} ${key?.key}`;
}

function outcomeOf(result: TriggerResult): string {
  return result.kind === 'accepted' && result.runsAt !== null ? 'scheduled' : result.kind;
}
