import { Expose } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';
import { type Problems } from './problems.js';
import { WholeNumber } from './whole-number.decorator.js';

/** The journal outside the database, from which opt-outs and erasures are replayed after a restore. */
export class JournalConfig {
  /** Directory of the journal's files. If it is unset, there is no journal. */
  @Expose({ name: 'JOURNAL_DIR' })
  @IsOptional()
  @Matches(/^\//, { message: 'must be an absolute path' })
  journalDir?: string;

  /** Days for which a file is kept. They must reach back to the oldest backup that may be restored. */
  @Expose({ name: 'JOURNAL_DAYS' })
  @WholeNumber(1, 3650)
  journalDays = 90;
}

/** The journal contains numbers only as erased numbers, so it needs `ERASURE_KEY`. */
export function checkJournal(
  { journalDir, erasureKey }: JournalConfig & { erasureKey?: string },
  problems: Problems,
): void {
  if (journalDir === undefined || erasureKey !== undefined) return;
  problems.set('ERASURE_KEY', 'ERASURE_KEY: is not set; JOURNAL_DIR needs it');
}
