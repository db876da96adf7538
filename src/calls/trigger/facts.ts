import { type QueryResult, type QueryResultRow } from 'pg';
import { type LocksToWaitFor } from '../../database/batch-work.js';
import { limitLockWaits, teamOfKey } from '../../database/team-scope.js';
import { type Query, query } from '../../database/transactions.js';
import { type TriggerDecision, type TriggerFacts } from '../../domain/trigger-decision.js';
import { type CallerIdFacts } from '../../domain/caller-id.js';
import { type PackIndex } from '../../domain/compliance/pack-index.js';
import { checkLockedKey, type KeyUse } from '../../idempotency/idempotency.js';
import { FIND_ANSWERS, type StoredAnswerRow } from '../../idempotency/idempotency.sql.js';
import { BatchEffects } from '../../dialing/facts/batch-effects.js';
import { complianceOf } from '../../dialing/facts/compliance.js';
import {
  type ErasedFacts,
  guardrailsOf,
  holdsLock,
  hoursOf,
  type NumberOfTeam,
  statedZoneOf,
} from '../../dialing/facts/facts.js';
import {
  LOCK_NUMBER_OF_KEY,
  LOCK_TEAM_OF_KEY,
  type TriedRequestLocksRow,
  TRY_LOCKS_OF_REQUESTS,
} from '../../dialing/facts/locks.sql.js';
import { type TriggerCommand } from './command.js';
import { type Access } from './access.js';
import { type AccessRow, TRIGGER_FACTS, type TriggerFactsRow } from './trigger.sql.js';

/**
 * The locks that the transaction of a batch waits for. With `team`, the transaction waits for the team's
 * lock; with `all`, also for the number's.
 */
export function locksToWaitFor([command]: TriggerCommand[], locks: LocksToWaitFor): Query[] {
  if (command === undefined || locks === 'none') return [];
  const { keyHash, request } = command;
  const number = locks === 'all' ? [query(LOCK_NUMBER_OF_KEY, keyHash, request.phoneNumber)] : [];
  return [teamOfKey(keyHash), limitLockWaits(), ...number, query(LOCK_TEAM_OF_KEY, keyHash)];
}

export function readFacts(commands: TriggerCommand[], locks: LocksToWaitFor): Query[] {
  const hashes = commands.map(({ keyHash }) => keyHash);
  const keys = commands.map(({ key }) => key?.key ?? null);
  const requests = commands.map(({ request }) => request);
  const numbers = requests.map(({ phoneNumber }) => phoneNumber);
  const keyed = keys.some((key) => key !== null);
  return [
    query(TRY_LOCKS_OF_REQUESTS, hashes, numbers, keys, locks !== 'none'),
    ...(keyed ? [query(FIND_ANSWERS, hashes, keys)] : []),
    query(
      TRIGGER_FACTS,
      hashes,
      commands.map(({ agentId }) => agentId),
      numbers,
      requests.map(({ fromPhoneNumber }) => fromPhoneNumber),
      requests.map(({ numberPoolId }) => numberPoolId),
    ),
  ];
}

const NO_LOCKS = { rows: [{ locks: [], key_locks: [] }] } as unknown as QueryResult<QueryResultRow>;

/**
 * The facts of a batch. {@link BatchEffects} adds the calls that earlier requests count to the facts of later ones.
 * A batch has at most one request to a person.
 */
export class TriggerBatchFacts {
  private readonly locked: TriedRequestLocksRow;
  /** The stored answers to earlier requests with the same `Idempotency-Key`. */
  private readonly answers: (StoredAnswerRow & { n: number })[];
  private readonly rows: TriggerFactsRow[];
  private readonly effects = new BatchEffects();
  private readonly keys = new Set<string>();

  /** @param results of {@link readFacts}. */
  constructor(
    results: QueryResult<QueryResultRow>[],
    private readonly packs: PackIndex,
  ) {
    const rows = results.map((result) => result.rows as unknown[]);
    this.locked = rows[0]?.[0] as TriedRequestLocksRow;
    this.answers = (rows.length === 3 ? rows[1] : []) as TriggerBatchFacts['answers'];
    this.rows = rows.at(-1) as TriggerFactsRow[];
  }

  /** The facts of one command that takes no locks. @param facts the result of `EXPLAIN_FACTS`. */
  static withoutLocks(facts: QueryResult<QueryResultRow>, packs: PackIndex): TriggerBatchFacts {
    return new TriggerBatchFacts([NO_LOCKS, facts], packs);
  }

  /** The numbers that may also have rows under their erased forms. */
  erasableNumbers(commands: Pick<TriggerCommand, 'request'>[]): NumberOfTeam[] {
    return commands.flatMap(({ request: { phoneNumber } }, n) => {
      const { team_id: teamId, has_erased_numbers: erased } = this.rowOf(n);
      return teamId !== null && erased ? [{ teamId, phoneNumber }] : [];
    });
  }

  rowOf(n: number): TriggerFactsRow {
    const row = this.rows[n];
    if (row === undefined) throw new Error('No facts were read about the request');
    return row;
  }

  /** Whether the locks of the `n`th command are held as its row needs them. */
  isLocked(n: number): boolean {
    return holdsLock(this.locked.locks[n] ?? null, this.rowOf(n).needs_exclusive_lock);
  }

  /**
   * To be invoked once for each command that may trigger a call. Of two commands with the same `Idempotency-Key` in a batch, only the
   * first holds the lock of the key.
   */
  earlierUseOf({ teamId, key }: TriggerCommand, n: number): KeyUse {
    if (key === null) return { kind: 'unused' };
    const id = `${teamId} ${key.key}`;
    // Postgres grants the lock to both commands, because they share one session.
    const acquired = this.locked.key_locks[n] === true && !this.keys.has(id);
    this.keys.add(id);
    return checkLockedKey(
      key,
      acquired,
      this.answers.find((answer) => answer.n === n),
    );
  }

  /** The domain's facts about the `n`th command, with the effects of the commands before it. */
  factsOf(
    { request, agentId }: Pick<TriggerCommand, 'request' | 'agentId'>,
    n: number,
    erased: ErasedFacts,
  ): TriggerFacts {
    const known = this.rowOf(n);
    const teamId = known.team_id ?? '';
    const { phoneNumber } = request;
    const row = erased.addTo(known, { teamId, phoneNumber });
    const counted = { ...row, plan_used: (row.plan_used ?? 0) + this.effects.planUsed.of(teamId) };
    const hours = hoursOf(row, request.contact.timezone);
    const called = { phoneNumber, zone: statedZoneOf(hours) };
    const before = erased.callsTo({ teamId, phoneNumber });
    return {
      hours,
      callerId: callerIdFactsOf(row, request),
      guardrails: {
        ...guardrailsOf(counted, request, false, hours, { agentId, campaignId: null }),
        compliance: complianceOf(row.compliance, this.packs, called, before),
      },
    };
  }

  /** Adds the effects of a decision to the facts of later commands. */
  add(n: number, decision: TriggerDecision): void {
    if (decision.kind === 'queued') this.effects.planUsed.add(this.rowOf(n).team_id ?? '');
  }
}

export function accessOf(row: Pick<AccessRow, 'agent_found' | 'team_id'> | undefined): Access {
  return { agentFound: row?.agent_found === true, teamId: row?.team_id ?? null };
}

function callerIdFactsOf(row: TriggerFactsRow, request: TriggerCommand['request']): CallerIdFacts {
  return {
    requestPool:
      request.numberPoolId === null
        ? null
        : { known: row.request_pool_known, usable: row.request_pool_usable },
    fromNumber: request.fromPhoneNumber === null ? null : { usable: row.from_number_usable },
    agentPool: row.agent_number_pool_id === null ? null : { usable: row.agent_pool_usable },
    agentNumber: row.agent_phone_number === null ? null : { usable: row.agent_number_usable },
  };
}
