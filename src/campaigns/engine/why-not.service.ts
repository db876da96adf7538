import { Injectable } from '@nestjs/common';
import { LIMITED_ACCOUNTS, type LimitedAccountRow } from '../../dialing/account-limits/account-limits.sql.js';
import { readErasedFacts } from '../../dialing/facts/facts.js';
import { Config } from '../../config/config.js';
import { team } from '../../database/team-scope.js';
import { query, Transactions, type TransactionStep } from '../../database/transactions.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { EngineBatchFacts } from './facts.js';
import {
  ENROLLMENT_FACTS,
  type EnrollmentFactsRow,
  type VersionRow,
  VERSIONS_OF_ENROLLMENTS,
} from './facts.sql.js';
import { type WhyNot, whyNotOf, whyNotWithoutSteps } from './why-not.js';

/** Decides enrollments as the engine does, but without the engine's locks. Writes nothing. */
@Injectable()
export class WhyNotService {
  constructor(
    private readonly transactions: Transactions,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly packs: PackIndex,
    private readonly config: Config,
  ) {}

  /** @returns null if the enrollment has ended or cannot be decided, or if no rule prevents its dial. */
  of(teamId: string, enrollmentId: string): Promise<WhyNot | null> {
    const own = this.transactions.within(team(teamId));
    const ids = [enrollmentId];
    const facts = query(ENROLLMENT_FACTS, ids, this.config.callTimeLimitSeconds * 1_000);
    return own.run([facts, query(VERSIONS_OF_ENROLLMENTS, ids)], ([rows, versions]) =>
      this.decide((rows?.rows ?? []) as EnrollmentFactsRow[], (versions?.rows ?? []) as VersionRow[]),
    );
  }

  private decide(rows: EnrollmentFactsRow[], versions: VersionRow[]): TransactionStep<WhyNot | null> {
    const [row] = rows;
    if (row === undefined || !['active', 'paused'].includes(row.enrollment_status)) return { rollback: null };
    const batch = new EngineBatchFacts(rows, versions, this.packs);
    const definition = batch.definitionOf(row);
    if (row.campaign_status === 'archived') return { rollback: null };
    if (definition === null || definition.steps.length === 0)
      return { rollback: whyNotWithoutSteps(row, definition) };
    if (row.agent_id === null) return { rollback: null };
    const caps = (versions[0]?.definition.caps ?? {}) as Record<string, unknown>;
    return readErasedFacts(this.erasedNumbers, batch.erasableNumbers(), (erased) =>
      this.withAccount(row, (account) => ({
        rollback:
          this.erasedNumbers.configured || batch.erasableNumbers().length === 0
            ? whyNotOf(row, definition, caps, batch.factsOf(row, erased), account)
            : null,
      })),
    );
  }

  /** Reads the carrier account of the agent, if it has a limit. */
  private withAccount<T>(
    row: EnrollmentFactsRow,
    decide: (account?: LimitedAccountRow) => TransactionStep<T>,
  ): TransactionStep<T> {
    if (!row.account_limited) return decide();
    const callTimeLimitMs = this.config.callTimeLimitSeconds * 1_000;
    return {
      next: [query(LIMITED_ACCOUNTS, [row.carrier_account_id], callTimeLimitMs)],
      decide: ([found]) => decide(found?.rows[0] as LimitedAccountRow | undefined),
    };
  }
}
