import { Injectable } from '@nestjs/common';
import { auditing } from '../../audit/audited-change.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { permitted } from '../../database/permitted.js';
import { team } from '../../database/team-scope.js';
import { query, type TeamTransactions, Transactions } from '../../database/transactions.js';
import { REQUIRED_OF_CONSENT } from '../../domain/consent-columns.js';
import { type ColumnOverride, type ContactColumn } from '../../domain/contact-columns.js';
import { AppError, invalid, notFound, type Problem, problemOf } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { type ImportWithColumns, importWithColumnsOf } from '../import-view.js';
import { type HeldColumn, heldColumnOf, TARGETS } from '../import-targets.js';
import { type ImportType } from '../import.entity.js';
import {
  HELD_CHUNKS,
  type HeldChunkRow,
  MAP_HELD_IMPORT,
  REPLACE_ENDINGS,
  STRICTNESS_OF_IMPORT,
} from '../sql/held.sql.js';
import { FIND_IMPORT, type FoundImport } from '../sql/read.sql.js';
import { NO_ENDING } from '../ending.js';
import { type UploadedRow as StagedRow } from '../work/row-reader.js';
import { type ImportLook } from './first-look.js';
import { ImportLooks } from './looks.service.js';
import { endingOfRow, MAPS, type RowReader, type UploadedRow } from './uploaded-rows.js';

/** A held file, as far as it was looked at. */
export interface HeldLook {
  held: ImportWithColumns;
  /** Null for NDJSON, whose lines name their fields. */
  columns: HeldColumn[] | null;
  /** The cells of the first rows as they are in the file; empty for NDJSON. */
  samples: string[][];
  /** The fields that no column is yet. While there are any, no row can be read, and the import cannot start. */
  missing: string[];
  /** What the import would do with the first rows; null while a field is missing. */
  look: ImportLook | null;
}

/** The rows whose cells are shown beside the columns. */
const SAMPLES = 3;
/** Chunks that are read or changed together: at most about 5 MB. */
const CHUNKS_AT_ONCE = 20;

/** Shows what an import that is held would do, and changes what its columns are. */
@Injectable()
export class HeldImports {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly looks: ImportLooks,
  ) {}

  /**
   * @param most how many rows are looked at. @throws AppError `NOT_FOUND`, `CONFLICT` for an import that is not held.
   */
  async look(teamId: string, id: string, most: number): Promise<HeldLook> {
    const row = await this.find(teamId, id);
    const held = importWithColumnsOf(row);
    const columns = row.mapping?.map(heldColumnOf) ?? null;
    const missing = missingOf(row.type, columns);
    const own = this.own(teamId);
    const samples = await this.samples(own, teamId, id);
    if (missing.length > 0) return { held, columns, samples, missing, look: null };
    const [strictness] = await own.read<{ strict: boolean }>(query(STRICTNESS_OF_IMPORT, id, teamId));
    const options = {
      type: row.type,
      mode: row.mode,
      campaignId: row.campaign_id,
      versionId: row.version_id,
      isStrict: strictness?.strict === true,
    };
    const reader: RowReader = { columns: row.mapping, rows: () => this.rows(own, teamId, id, most) };
    return { held, columns, samples, missing, look: await this.looks.lookAt(teamId, options, reader) };
  }

  /** What the columns are; null for NDJSON. @throws AppError as {@link look}. */
  async columns(teamId: string, id: string): Promise<HeldColumn[] | null> {
    return (await this.find(teamId, id)).mapping?.map(heldColumnOf) ?? null;
  }

  /**
   * Changes what the columns are.
   *
   * @param targets by the columns' places; undefined: as it is.
   * @throws AppError `INVALID_REQUEST`, whose problems have the places of columns as paths; `NOT_FOUND`, `CONFLICT`.
   */
  async map(
    teamId: string,
    id: string,
    targets: readonly (string | undefined)[],
  ): Promise<{ changed: boolean }> {
    const row = await this.find(teamId, id);
    const { mapping } = row;
    if (mapping === null) return { changed: false };
    const columns = mapped(row.type, mapping, targets);
    if (JSON.stringify(columns) === JSON.stringify(mapping)) return { changed: false };
    const own = this.own(teamId);
    const numberAt = numberAtOf(columns);
    // Before the mapping, so that an erasure finds the rows by the new column as soon as it is the number.
    if (numberAt !== numberAtOf(mapping)) await this.replaceEndings(own, teamId, id, numberAt);
    const [changed] = await this.transactions
      .within(team(teamId))
      .inOneRoundTrip([
        query(MAP_HELD_IMPORT, id, teamId, JSON.stringify(columns)),
        auditing({ teamId, action: 'import.mapped', target: { type: 'import', id } }),
      ]);
    if (changed?.rows.length !== 1) throw notHeld();
    return { changed: true };
  }

  private async find(teamId: string, id: string): Promise<FoundImport> {
    const [row] = isUuid(id) ? await this.own(teamId).read<FoundImport>(query(FIND_IMPORT, id, teamId)) : [];
    if (row === undefined) throw notFound('Import');
    if (row.status !== 'held') throw notHeld();
    return row;
  }

  private async samples(own: TeamTransactions, teamId: string, id: string): Promise<string[][]> {
    const [chunk] = await own.read<HeldChunkRow>(query(HELD_CHUNKS, id, teamId, 0, 1));
    const rows = chunk === undefined ? [] : rowsOf(chunk).slice(0, SAMPLES);
    return rows.flatMap((row) => (Array.isArray(row) ? [row] : []));
  }

  private async *rows(
    own: TeamTransactions,
    teamId: string,
    id: string,
    most: number,
  ): AsyncGenerator<UploadedRow> {
    let left = most;
    for await (const { rows } of this.chunks(own, teamId, id)) {
      for (const value of rows) {
        if (left === 0) return;
        left -= 1;
        yield {
          value: value ?? { error: 'The row was removed, because its contact was erased', cells: [] },
          ending: NO_ENDING,
        };
      }
    }
  }

  private async replaceEndings(
    own: TeamTransactions,
    teamId: string,
    id: string,
    numberAt: number,
  ): Promise<void> {
    let chunks: { first_row: number; endings: number[] }[] = [];
    const flush = async () => {
      await own.autocommit(query(REPLACE_ENDINGS, id, teamId, JSON.stringify(chunks)));
      chunks = [];
    };
    for await (const { firstRow, rows } of this.chunks(own, teamId, id)) {
      const endings = rows.map((row) =>
        row === null || typeof row === 'string'
          ? NO_ENDING
          : endingOfRow(Array.isArray(row) ? row : row.cells, Array.isArray(row) ? numberAt : -1),
      );
      chunks.push({ first_row: firstRow, endings });
      if (chunks.length === CHUNKS_AT_ONCE) await flush();
    }
    if (chunks.length > 0) await flush();
  }

  private async *chunks(own: TeamTransactions, teamId: string, id: string) {
    for (let after = 0; ;) {
      const read = await own.read<HeldChunkRow>(query(HELD_CHUNKS, id, teamId, after, CHUNKS_AT_ONCE));
      for (const chunk of read) yield { firstRow: chunk.first_row, rows: rowsOf(chunk) };
      const last = read.at(-1);
      if (last === undefined) return;
      after = last.first_row;
    }
  }

  private own(teamId: string): TeamTransactions {
    return permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
  }
}

const rowsOf = ({ data }: HeldChunkRow): StagedRow[] => JSON.parse(data) as StagedRow[];

const notHeld = () => new AppError('CONFLICT', 'The import is not held any more');

const numberAtOf = (columns: readonly ContactColumn[]): number =>
  columns.findIndex(({ field }) => field === 'phoneNumber');

function missingOf(type: ImportType, columns: readonly HeldColumn[] | null): string[] {
  if (columns === null) return [];
  const required = type === 'consents' ? REQUIRED_OF_CONSENT : ['phoneNumber'];
  return required.filter((field) => !columns.some(({ target }) => target === field));
}

/** The columns with what was chosen for them. @throws AppError `INVALID_REQUEST`. */
function mapped(
  type: ImportType,
  columns: readonly ContactColumn[],
  targets: readonly (string | undefined)[],
): ContactColumn[] {
  const problems: Problem[] = [];
  const overrides: ColumnOverride[] = [];
  const taken = new Map<string, number>();
  for (const [at, column] of columns.entries()) {
    const now = heldColumnOf(column).target;
    if (now === null) continue;
    const target = TARGETS[type].find((one) => one === (targets[at] ?? now));
    if (target === undefined) problems.push(problemOf('Choose what the column is', String(at)));
    else overrides.push({ header: column.header, target });
    const isField = target !== undefined && target !== 'property' && target !== 'ignore';
    const other = isField ? taken.get(target) : undefined;
    if (other !== undefined)
      problems.push(
        problemOf(`“${columns[other]?.header}” is this already: choose one of the two`, String(at)),
      );
    if (isField) taken.set(target, at);
  }
  const required = type === 'consents' ? REQUIRED_OF_CONSENT : (['phoneNumber'] as const);
  const missing = required.filter((field) => !taken.has(field));
  if (taken.has('name') && (taken.has('firstName') || taken.has('lastName')))
    problems.push(
      problemOf(
        'The whole name has a column already: make this column a property',
        String(taken.get('firstName') ?? taken.get('lastName')),
      ),
    );
  if (problems.length > 0) throw invalid(...problems);
  if (missing.length > 0) throw invalid(...missing.map((field) => problemOf(field, 'missing')));
  const headers = columns.map(({ header }) => header);
  const read = MAPS[type](headers, overrides);
  if (!read.ok) throw invalid(problemOf(read.message, ''));
  return read.columns;
}
