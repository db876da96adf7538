import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Batcher } from '../../database/batcher.js';
import { type LocksToWaitFor, type Outcome } from '../../database/batch-work.js';
import { teamOfKey } from '../../database/team-scope.js';
import { TeamSemaphore } from '../../database/team-semaphore.js';
import { query, Transactions } from '../../database/transactions.js';
import { type JsonObjectResult } from '../../http/body.js';
import { type ParsedIdempotencyKey } from '../../idempotency/idempotency.js';
import { CallQueue } from '../../queue/call-queue.js';
import { type AdmittedKey } from '../../teams/key-of-request.js';
import { Metrics } from '../../telemetry/metrics.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { decideEach, runBehindLocks } from '../shared/behind-locks.js';
import { ACCESS, type AccessRow } from './trigger.sql.js';
import { parseTriggerRequest } from './request.js';
import { refused, type TriggerCommand, type TriggerOutcome, type TriggerResult } from './command.js';
import { decide, decideEarly, deniedBy } from './decide.js';
import { accessOf, locksToWaitFor, readFacts, TriggerBatchFacts } from './facts.js';
import { type DecidedTrigger, persist } from './persist.js';

/** A request to the call endpoint as it came in. */
export interface IncomingTrigger extends AdmittedKey {
  agentId: string;
  body: JsonObjectResult;
  idempotencyKey: ParsedIdempotencyKey;
  trace: RequestTrace;
}

/**
 * Contract 4.1: accepts, schedules or refuses a call. Command, facts, decision and persistence of a batch in one transaction of two
 * round trips.
 */
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
        run: (commands, locks) => this.run(commands, locks),
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
    const denied = deniedBy(accessOf(row));
    return {
      denied: denied === null ? null : refused(denied.reason),
      defaultCountry: row?.default_country ?? null,
    };
  }

  private async run(commands: TriggerCommand[], locks: LocksToWaitFor): Promise<Outcome<TriggerOutcome>[]> {
    const outcomes = await runBehindLocks(this.transactions, commands, locks, {
      waits: locksToWaitFor(commands, locks),
      facts: readFacts(commands, locks),
      plan: (results) => {
        const facts = new TriggerBatchFacts(results);
        return persist(decideEach(commands, (command, n) => decideOne(command, facts, n)));
      },
    });
    commands.forEach((command, n) => {
      if (!outcomes[n]?.done && command.key !== null) this.waiting.set(repetitionOf(command), command);
    });
    return outcomes;
  }
}

/** @returns null where a lock is missing. */
function decideOne(command: TriggerCommand, facts: TriggerBatchFacts, n: number): DecidedTrigger | null {
  const row = facts.rowOf(n);
  const decided = { command, row, callRequestId: randomUUID() };
  const early = decideEarly(accessOf(row), command.request.teamId, () => facts.earlierUseOf(command, n));
  if (row.agent_found && row.team_id !== null) command.trace.teamId = row.team_id;
  if (early !== null) return { ...decided, decision: early };
  if (!facts.isLocked(n)) return null;
  const decision = decide(facts.factsOf(command, n), row.now);
  facts.add(command, n, decision, decided.callRequestId);
  return { ...decided, decision };
}

/** The same for all that repeat a request with an `Idempotency-Key`. */
function repetitionOf({ teamId, key }: TriggerCommand): string {
  return `${teamId} ${key?.fingerprint.toString('base64')} ${key?.key}`;
}

function outcomeOf(result: TriggerResult): string {
  return result.kind === 'accepted' && result.runsAt !== null ? 'scheduled' : result.kind;
}
