import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { type Purpose } from '../domain/compliance/pack.js';
import { isErasedNumber } from '../domain/erased-number.js';
import { type SuppressionSource } from '../domain/limited-entry.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { type JournalScope } from '../journal/journal-record.js';
import { Journal } from '../journal/journal.service.js';
import { Secrets } from '../secrets/secrets.js';
import { type EntryLimits, type EntryScope } from './suppressing.js';

/** Where the journal's sealed numbers stand. */
const PLACE = { table: 'journal', column: 'numbers', id: 'platform_do_not_call' };

/** What the journal tells of an addition besides its numbers. */
export interface NotedAddition {
  source: SuppressionSource;
  purpose?: Purpose | null;
  limits?: EntryLimits;
}

/**
 * Records changes of the Do Not Call lists in the journal, so that they survive a restore of the database. Numbers of
 * teams are recorded in their erased form. The platform's list has no erased form: its numbers are sealed.
 */
@Injectable()
export class DoNotCallJournal {
  constructor(
    private readonly journal: Journal,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly config: Config,
  ) {}

  /**
   * Resolves once the change is on the disk; only then may the request be answered.
   *
   * @throws AppError `SERVICE_UNAVAILABLE`: the client must repeat the request.
   */
  async added(
    teamId: string,
    numbers: string[],
    { source, purpose = null, limits }: NotedAddition,
  ): Promise<void> {
    if (!this.journal.on) return;
    await this.journal.append({
      kind: 'do_not_call.added',
      teamId,
      numbers: this.formsOf(teamId, numbers),
      source,
      ...(purpose !== null && { purpose }),
      ...(limits !== undefined && {
        limits: {
          ...limits,
          effectiveFrom: (limits.effectiveFrom ?? new Date()).toISOString(),
          expiresAt: limits.expiresAt?.toISOString() ?? null,
        },
      }),
    });
  }

  /** As {@link added}. */
  async removed(teamId: string, numbers: string[], scope: EntryScope): Promise<void> {
    if (!this.journal.on) return;
    const ofScope: { scope?: JournalScope } = scope.scope === 'team' ? {} : { scope };
    const forms = this.formsOf(teamId, numbers);
    await this.journal.append({ kind: 'do_not_call.removed', teamId, numbers: forms, ...ofScope });
  }

  /** As {@link added}, for the platform's own list. */
  async ofPlatform(change: 'added' | 'removed', numbers: string[]): Promise<void> {
    if (!this.journal.on) return;
    const secrets = this.secrets();
    const sealed = numbers.map((number) => secrets.seal(number, PLACE));
    await this.journal.append({ kind: `platform_do_not_call.${change}`, numbers: sealed });
  }

  /** The number that a record about the platform's list has sealed. @throws SecretNotOpened under another key. */
  opened(sealed: string): string {
    return this.secrets().open(sealed, PLACE);
  }

  private formsOf(teamId: string, numbers: string[]): string[] {
    return numbers.map((number) =>
      isErasedNumber(number) ? number : this.erasedNumbers.formOf(teamId, number),
    );
  }

  /** The configuration requires `ERASURE_KEY` with a journal. */
  private secrets(): Secrets {
    return new Secrets(this.config.erasureKey ?? '');
  }
}
