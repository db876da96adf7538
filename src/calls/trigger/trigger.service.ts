import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import {
  Batchers,
  type ItemBatcher,
  type LocksToWaitFor,
  type ItemResult,
} from '../../database/batch-work.js';
import { teamOfKey } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { personNumber } from '../../domain/person-number.js';
import { ErasedForms } from '../../domain/erased-number.js';
import { windowFault } from '../../domain/call-window.js';
import { decideTrigger } from '../../domain/trigger-decision.js';
import {
  type BodyParser,
  type KeyedRequest,
  keyedRequestOf,
  keyWarnings,
  readRequest,
  STRICTEST,
} from '../../teams/keyed-request.js';
import { FIND_ANSWERS } from '../../idempotency/idempotency.sql.js';
import { CallQueue } from '../../queue/call-queue.js';
import { Metrics } from '../../telemetry/metrics.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { decideEach, runUnderLocks } from '../../dialing/facts/under-locks.js';
import { type ErasedFacts, findErasedFacts } from '../../dialing/facts/facts.js';
import { deniedBy, refusedBy } from './access.js';
import { answerOf, type CallAnswer } from './answers.js';
import { ACCESS, type AccessRow, STORE_CALLS } from './trigger.sql.js';
import { type RefusalReason } from './refusals.js';
import { CALL_KEYS, parseTriggerRequest, type TriggerRequest } from './request.js';
import {
  type Refused,
  refused,
  type TriggerCommand,
  type TriggerOutcome,
  type TriggerResult,
} from './command.js';
import { accessOf, locksToWaitFor, readFacts, TriggerBatchFacts } from './facts.js';
import { type DecidedTrigger, persist } from './persist.js';
import { TriggerGate } from './trigger-gate.service.js';
import { readWindow, type ReadWindow } from './window.js';

/** A request to the call endpoint as it came in. */
export interface IncomingTrigger extends KeyedRequest {
  agentId: string;
  window: ReadWindow;
}

/** Reads a request whose key is known. @throws AppError as `keyedRequestOf`. */
export async function incomingOf(agentId: string, request: Request): Promise<IncomingTrigger> {
  return { agentId, window: readWindow(request.query), ...(await keyedRequestOf(request)) };
}

/**
 * Contract 4.1: accepts, schedules or refuses a call. The functions of this file are in the order in which a
 * request passes them, from its arrival to its answer.
 */
@Injectable()
export class TriggerService {
  private readonly batcher: ItemBatcher<TriggerCommand, TriggerOutcome>;
  /** Requests with an `Idempotency-Key` that wait for a lock: their repetitions are refused at once. */
  private readonly waiting = new Map<string, TriggerCommand>();

  constructor(
    private readonly gate: TriggerGate,
    private readonly transactions: Transactions,
    private readonly wakeUps: CallQueue,
    private readonly metrics: Metrics,
    private readonly erasedNumbers: ErasedForms,
    private readonly packs: PackIndex,
    batchers: Batchers,
  ) {
    this.batcher = batchers.of<TriggerCommand, TriggerOutcome>({
      run: (commands, locks) => this.decideBatch(commands, locks),
      teamOf: ({ teamId }) => teamId,
      keyOf: ({ teamId, request }) => `${teamId} ${personNumber(request.phoneNumber)}`,
    });
  }

  /** The answer to an HTTP request. @throws as {@link trigger}. */
  async answer(agentId: string, request: Request): Promise<CallAnswer> {
    // The agent and the key are checked before the body is read. The transaction checks them again.
    const refusal = await this.gate.refusalOf(agentId, request);
    const result = refusal ?? (await this.trigger(await incomingOf(agentId, request)));
    return answerOf(result, traceOf(request).requestId);
  }

  /** @throws the error that prevented an answer. After a `CommitUnknownError`, the call may be stored. */
  async trigger(incoming: IncomingTrigger): Promise<TriggerResult> {
    const result = await this.resultOf(incoming).catch(this.metrics.undecided('trigger'));
    this.metrics.decided('trigger', outcomeOf(result), result.kind === 'refused' ? result.reason : undefined);
    return result;
  }

  private async resultOf(incoming: IncomingTrigger): Promise<TriggerResult> {
    const read = await readCommand(this.transactions, incoming);
    if (!read.ok) return read.refused;
    const { command } = read;
    const repetition = command.key === null ? null : repetitionOf(command);
    if (repetition !== null && this.waiting.has(repetition)) return refused('IDEMPOTENCY_KEY_IN_FLIGHT');
    try {
      // The batcher passes the command to `decideBatch`, with others that arrive at about the same time.
      const { result, wake } = await this.batcher.add(command);
      if (wake) await this.wake(wake);
      return result;
    } finally {
      if (repetition !== null && this.waiting.get(repetition) === command) this.waiting.delete(repetition);
    }
  }

  /**
   * Decides and stores a batch in one transaction, usually in two round trips. Waiting for locks costs a
   * further one, and so do the facts of erased numbers.
   */
  private async decideBatch(
    commands: TriggerCommand[],
    locks: LocksToWaitFor,
  ): Promise<ItemResult<TriggerOutcome>[]> {
    const waits = locksToWaitFor(commands, locks);
    const outcomes = await runUnderLocks(this.transactions, commands, locks, waits, async (transaction) => {
      // Tries the locks of numbers, teams and idempotency keys, and reads stored answers and facts.
      const facts = new TriggerBatchFacts(await transaction.send(readFacts(commands, locks)), this.packs);
      const erasable = facts.erasableNumbers(commands);
      const erased = await findErasedFacts(transaction, this.erasedNumbers, erasable);
      const decided = decideEach(commands, (command, n) => decideOne(command, n, facts, erased));
      // Upserts the contacts, stores the calls and the answers of idempotency keys, and commits.
      const stored = await persist(transaction, decided);
      for (const one of decided) this.metrics.judged(verdictsOf(one));
      return stored;
    });
    commands.forEach((command, n) => {
      if (!outcomes[n]?.done && command.key !== null) this.waiting.set(repetitionOf(command), command);
    });
    return outcomes;
  }

  /**
   * The answer does not depend on Redis. If the job is delayed, the answer waits up to a second for Redis,
   * because operations staff may look for the job.
   */
  private async wake({ job, delayMs }: NonNullable<TriggerOutcome['wake']>): Promise<void> {
    const added = this.wakeUps.wake(job, delayMs);
    if (delayMs > 0) await added;
  }

  /**
   * Prepares all connections for triggers.
   * @throws the database's error. A connection is then prepared when a trigger first uses it.
   */
  async warmUp(): Promise<void> {
    const keyed = query(FIND_ANSWERS, [], []);
    await this.transactions.warmUp([...readFacts([], 'none'), keyed, query(STORE_CALLS, '[]')]);
  }
}

/**
 * Reads the body, the window and the idempotency key of a request. Only a request with a fault, or with a number that the
 * settings of its team decide about, costs a round trip: a wrong key is reported before a wrong body.
 */
export async function readCommand(
  transactions: Transactions,
  incoming: IncomingTrigger,
): Promise<{ ok: true; command: TriggerCommand } | { ok: false; refused: Refused }> {
  const { agentId, keyHash, trace, window } = incoming;
  const parse = (...args: Parameters<BodyParser<TriggerRequest, RefusalReason>>) =>
    parseTriggerRequest(...args, window);
  const warned = keyWarnings(incoming, CALL_KEYS);
  let read = readRequest(incoming, parse, STRICTEST);
  if (!read.ok) {
    const own = transactions.within(teamOfKey(keyHash));
    const [row] = await own.read<AccessRow>(query(ACCESS, keyHash, agentId));
    const denied = deniedBy(accessOf(row));
    if (denied !== null) return { ok: false, refused: refused(denied.reason, undefined, null, warned) };
    read = readRequest(incoming, parse, {
      defaultCountry: row?.default_country ?? null,
      acceptUnknownRanges: row?.accept_unknown_ranges === true,
    });
  }
  if (!read.ok) return { ok: false, refused: refused(read.reason, read.message, read.problems, warned) };
  const { teamId, key, value: request } = read.value;
  return { ok: true, command: { teamId, agentId, keyHash, request, warned, key, trace } };
}

/** @returns null where a lock is missing. */
function decideOne(
  command: TriggerCommand,
  n: number,
  facts: TriggerBatchFacts,
  erased: ErasedFacts,
): DecidedTrigger | null {
  const row = facts.rowOf(n);
  const decided = { command, row, callRequestId: row.new_call_id };
  if (row.agent_found && row.team_id !== null) command.trace.teamId = row.team_id;
  const refusal = refusedBy(accessOf(row), command.request.teamId);
  if (refusal !== null) return { ...decided, decision: refusal };
  const use = facts.earlierUseOf(command, n);
  if (use.kind !== 'unused') return { ...decided, decision: use };
  if (!facts.isLocked(n)) return null;
  const { window } = command.request;
  const fault = windowFault(window, row.now);
  if (fault !== null) return { ...decided, decision: { kind: 'bad_window', fault } };
  const decision = decideTrigger(facts.factsOf(command, n, erased), row.now, window);
  facts.add(n, decision);
  return { ...decided, decision };
}

function verdictsOf(decided: DecidedTrigger | null): Readonly<Record<string, string>> | undefined {
  const decision = decided?.decision;
  return decision !== undefined && 'decision' in decision
    ? decision.decision?.compliance?.verdicts
    : undefined;
}

/** Identifies a request and its repetitions with the same `Idempotency-Key`. */
function repetitionOf({ teamId, key }: TriggerCommand): string {
  return `${teamId} ${key?.fingerprint.toString('base64')} ${key?.key}`;
}

function outcomeOf(result: TriggerResult): string {
  return result.kind === 'accepted' && result.runsAt !== null ? 'scheduled' : result.kind;
}
