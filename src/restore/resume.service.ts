import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '../http/app-error.js';
import { JournalReplay, type Replayed } from './journal-replay.service.js';
import { RestoreCheck } from './restore-check.service.js';
import { CALLS_TO_CHECK, FORGET_RESTORE, RESTORE_STATE } from './restore.sql.js';

/** The re-dial window. */
const WINDOW_MS = 12 * 3_600_000;
const CALLS_NAMED = 20;

/** A restore of the database after which the platform was not resumed yet. */
export interface Restore {
  noticedAt: string;
  /** When the newest row of the backup was written; null if it has no rows. */
  newestRowAt: string | null;
  /**
   * Before this instant, `resume` is refused without `force`. `resume` also reads the journal, which can make
   * the instant later.
   */
  resumeFrom: string | null;
  /** The number of calls without a known end that may have been dialed after the backup. */
  callsToCheck: number;
}

interface State {
  restoredAt: Date;
  newestRowAt: Date | null;
  now: Date;
}

/** Resumes the platform. */
@Injectable()
export class ResumeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly check: RestoreCheck,
    private readonly journal: JournalReplay,
  ) {}

  /** @returns null if no restore was detected, or the platform was resumed after it. */
  async restore(): Promise<Restore | null> {
    const state = await this.state();
    if (state === null) return null;
    const from = resumeFrom(state.newestRowAt, null);
    return {
      noticedAt: state.restoredAt.toISOString(),
      newestRowAt: state.newestRowAt?.toISOString() ?? null,
      resumeFrom: from?.toISOString() ?? null,
      callsToCheck: (await this.callsToCheck()).count,
    };
  }

  /**
   * After a restore, the journal is replayed first. Without `force`, the platform stays paused for 12 hours.
   * The 12 hours begin at the newest row of the backup or the last record of the journal before the restore,
   * whichever is later. So a number that was called after the backup is not called twice within 12 hours.
   *
   * @throws AppError `CONFLICT` before the end of the 12 hours, or if the journal cannot be replayed. Even
   *   with `force`, it is thrown while other transactions hold the rows of calls that must not be dialed
   *   again.
   */
  async resume(force: boolean): Promise<{ paused: boolean }> {
    const left = await this.check.check();
    if (left > 0) throw new AppError('CONFLICT', areLeft(left));
    const state = await this.state();
    if (state !== null) {
      const replayed = await this.journal.replay(state.restoredAt);
      const from = resumeFrom(state.newestRowAt, replayed);
      if (!force && from !== null && from > state.now) throw await this.refusal(from, replayed);
    }
    await this.dataSource.transaction(async (db) => {
      await db.query('UPDATE platform_settings SET paused = false');
      await db.query(FORGET_RESTORE);
    });
    return { paused: false };
  }

  private async refusal(from: Date, { doNotCall, erased }: Replayed): Promise<AppError> {
    const { count, ids } = await this.callsToCheck();
    const named = ids.length === 0 ? '' : `: ${ids.join(', ')}${count > ids.length ? ', …' : ''}`;
    return new AppError(
      'CONFLICT',
      `The database was restored. If calls resume before ${from.toISOString()}, a number that was called after the backup could be ` +
        `called again within 12 hours. To resume now, set force. Calls to check, because they may have been dialed: ${count}${named}. ` +
        `Replayed from the journal: ${doNotCall} Do Not Call entries, ${erased} erasures.`,
    );
  }

  private async state(): Promise<State | null> {
    const [state] = await this.dataSource.query<State[]>(RESTORE_STATE);
    return state ?? null;
  }

  private async callsToCheck(): Promise<{ count: number; ids: string[] }> {
    const [calls] = await this.dataSource.query<{ count: number; ids: string[] }[]>(CALLS_TO_CHECK, [
      CALLS_NAMED,
    ]);
    return calls ?? { count: 0, ids: [] };
  }
}

const areLeft = (calls: number) =>
  'The database was restored. Other transactions hold the rows of calls that may have been dialed after the backup, ' +
  `so they were not checked: ${calls}. Resume again.`;

function resumeFrom(newestRowAt: Date | null, replayed: Replayed | null): Date | null {
  const signs = [newestRowAt, replayed?.lastSignAt ?? null].filter((at) => at !== null);
  if (signs.length === 0) return null;
  return new Date(Math.max(...signs.map((at) => at.getTime())) + WINDOW_MS);
}
