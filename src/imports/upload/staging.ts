import { query, type TeamTransactions } from '../../database/transactions.js';
import { type KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { AppError } from '../../http/app-error.js';
import { KEEP_UPLOAD, STAGE_CHUNK } from '../sql/upload.sql.js';
import { Pace } from '../pace.js';
import { type ImportType } from '../import.entity.js';
import { CHUNK_BYTES, CHUNK_ROWS, MAX_ROWS, MAX_SUPPRESSIONS } from '../limits.js';
import { type RowReader, rowsWithin } from './uploaded-rows.js';

/** The interval at which an upload renews its lease, in milliseconds. */
const KEEP_EVERY_MS = 5_000;
/** The least time for a row, in milliseconds: 100,000 rows take at least two seconds. */
export const MS_PER_ROW = 0.02;

const MOST_ROWS: Record<ImportType, number> = {
  contacts: MAX_ROWS,
  suppressions: MAX_SUPPRESSIONS,
  consents: MAX_ROWS,
};

/** The import that an upload fills. */
export interface StagedImport {
  id: string;
  teamId: string;
  type: ImportType;
  /** Whether the import waits until it is started. */
  isHeld: boolean;
}

/** A row as it waits for the worker. */
interface StagedRow {
  json: string;
  /** See `endingOf`. */
  ending: number;
}

/**
 * Stores the rows of an upload in chunks, each in its own transaction, so that a slow upload holds no
 * connection.
 */
export class Staging {
  /** Rows that were stored. */
  rows = 0;
  private chunk: StagedRow[] = [];
  private bytes = 0;
  /** Whether the import was found to have ended, for example by a cancelation. */
  private ended = false;
  private readonly pace = new Pace(MS_PER_ROW);

  constructor(
    private readonly staged: StagedImport,
    private readonly own: TeamTransactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  /**
   * @throws AppError `INVALID_REQUEST` or `PAYLOAD_TOO_LARGE` for the file; `CONFLICT` where the import was
   *   canceled; the database's error.
   */
  async store(reader: RowReader): Promise<void> {
    const keeping = setInterval(() => void this.keep(), KEEP_EVERY_MS);
    try {
      await this.storeRows(reader);
    } finally {
      clearInterval(keeping);
    }
  }

  /** To be called whenever bytes arrive. @throws AppError `CONFLICT` where the import was canceled. */
  assertOpen(): void {
    if (this.ended) throw endedMeanwhile();
  }

  private async storeRows(reader: RowReader): Promise<void> {
    for await (const row of rowsWithin(reader, MOST_ROWS[this.staged.type])) {
      const json = JSON.stringify(row.value);
      this.chunk.push({ json, ending: row.ending });
      this.bytes += Buffer.byteLength(json);
      if (this.chunk.length === CHUNK_ROWS || this.bytes >= CHUNK_BYTES) await this.flush(reader);
    }
    if (this.chunk.length > 0) await this.flush(reader);
  }

  /**
   * Renews the lease. While Postgres is away, a later renewal may succeed. If it does not, the upload fails
   * at its next chunk.
   */
  private async keep(): Promise<void> {
    const { id, teamId } = this.staged;
    const kept = await this.own.autocommit(query(KEEP_UPLOAD, id, teamId)).catch(() => null);
    if (kept?.length === 0) this.ended = true;
  }

  private async flush({ columns }: RowReader): Promise<void> {
    const { id, teamId } = this.staged;
    const { chunk } = this;
    const staging = query(
      STAGE_CHUNK,
      id,
      teamId,
      this.rows + 1,
      chunk.length,
      `[${chunk.map(({ json }) => json).join(',')}]`,
      chunk.map(({ ending }) => ending),
      columns === null ? null : JSON.stringify(columns),
    );
    const stored = await this.semaphore.run(teamId, () => this.own.autocommit(staging));
    if (stored.length === 0) throw endedMeanwhile();
    this.rows += chunk.length;
    [this.chunk, this.bytes] = [[], 0];
    await this.pace.rest(chunk.length);
  }
}

export function endedMeanwhile(): AppError {
  return new AppError('CONFLICT', 'The import was canceled during its upload');
}
