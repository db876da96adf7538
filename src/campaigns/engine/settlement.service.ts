import { Injectable, Logger } from '@nestjs/common';
import { type ErasedFacts, readErasedFacts } from '../../dialing/facts/facts.js';
import { Config } from '../../config/config.js';
import { mayBeOfOneStatement } from '../../database/database-errors.js';
import { team } from '../../database/team-scope.js';
import { type Query, query, Transactions, type TransactionStep } from '../../database/transactions.js';
import { type WaitingFor } from '../../domain/campaigns/decide/decision.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { describeError } from '../../telemetry/describe-error.js';
import { decideWithoutDial } from './decide.js';
import { EngineBatchFacts } from './facts.js';
import {
  ENROLLMENT_FACTS,
  type EnrollmentFactsRow,
  type VersionRow,
  VERSIONS_OF_ENROLLMENTS,
} from './facts.sql.js';
import { type DecidedEnrollment, persist } from './persist.js';
import { POSTPONE } from './persist.sql.js';
import { sceneOf, undecided } from './scene.js';
import { type NamedBy, type SettlingEnrollment, TAKE_SETTLING, takeHappened } from './settlement.sql.js';

/** Why the due dials of some campaigns have to wait, by the campaign's id. */
export type Refusals = ReadonlyMap<string, WaitingFor>;

/**
 * Decides enrollments as far as no dial is needed: what follows from the end of a call or from a result, the end
 * of a lifetime, deferrals. Such a decision needs no concurrency slot, and no lock of a number or a team.
 */
@Injectable()
export class Settlement {
  private readonly logger = new Logger(Settlement.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly packs: PackIndex,
    private readonly config: Config,
  ) {}

  /**
   * Decides enrollments of campaigns, whatever their teams.
   *
   * @param most enrollments of each campaign.
   * @param unseen if set, those are decided whose dial is due and has to wait, and that were not decided since.
   *   Otherwise, those to be settled.
   * @returns how many.
   * @throws the database's error. If the only enrollment caused it, the enrollment is postponed instead.
   */
  settle(campaignIds: readonly string[], most: number, unseen?: Refusals): Promise<number> {
    return this.run(this.transactions, query(TAKE_SETTLING, campaignIds, most, unseen !== undefined), unseen);
  }

  /**
   * Decides what has already happened to enrollments of a team, before a request ends them: a person who was
   * reached has not exited. An enrollment whose row or lock is held elsewhere is left out.
   */
  async settleFirst(teamId: string, by: NamedBy, names: readonly string[]): Promise<void> {
    const own = this.transactions.within(team(teamId));
    while ((await this.run(own, query(takeHappened(by), teamId, names))) > 0);
  }

  private async run(
    transactions: Pick<Transactions, 'run'>,
    take: Query,
    refusals?: Refusals,
  ): Promise<number> {
    let taken: SettlingEnrollment[] = [];
    try {
      await transactions.run<unknown>([take], ([result]) => {
        taken = (result?.rows[0] as { taken: SettlingEnrollment[] }).taken;
        if (taken.length === 0) return { rollback: null };
        const ids = taken.map(({ id }) => id);
        return {
          next: [
            query(ENROLLMENT_FACTS, ids, this.config.callTimeLimitSeconds * 1_000),
            query(VERSIONS_OF_ENROLLMENTS, ids),
          ],
          decide: ([rows, versions]) =>
            this.decide(
              (rows?.rows ?? []) as EnrollmentFactsRow[],
              (versions?.rows ?? []) as VersionRow[],
              refusals,
            ),
        };
      });
    } catch (error) {
      const [one, another] = taken;
      if (one === undefined || another !== undefined || !mayBeOfOneStatement(error)) throw error;
      this.logFailed(one.id, error);
      await this.transactions.within(team(one.teamId)).autocommit(query(POSTPONE, one.id));
    }
    return taken.length;
  }

  private decide(
    rows: EnrollmentFactsRow[],
    versions: VersionRow[],
    refusals?: Refusals,
  ): TransactionStep<unknown> {
    const batch = new EngineBatchFacts(rows, versions, this.packs);
    return readErasedFacts(this.erasedNumbers, batch.erasableNumbers(), (erased) =>
      persist(rows.map((row) => this.decideOne(row, batch, erased, refusals))),
    );
  }

  /** After an error, the enrollment is decided again in a minute. */
  private decideOne(
    row: EnrollmentFactsRow,
    batch: EngineBatchFacts,
    erased: ErasedFacts,
    refusals?: Refusals,
  ): DecidedEnrollment {
    try {
      const scene = sceneOf(row, batch, erased);
      if (scene.decision !== null) return { row, ...scene };
      const { state, definition, facts, lifetimeAt } = scene;
      const refusal = refusals?.get(row.campaign_id);
      return { row, lifetimeAt, decision: decideWithoutDial(state, definition, facts, row.now, refusal) };
    } catch (error) {
      this.logFailed(row.enrollment_id, error);
      return { row, ...undecided(row) };
    }
  }

  private logFailed(enrollmentId: string, error: unknown): void {
    this.logger.error({ message: `not settled: ${describeError(error)}`, enrollmentId });
  }
}
