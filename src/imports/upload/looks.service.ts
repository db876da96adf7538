import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { type Holders, HOLDERS_OF_ROWS, type HoldersOfRow } from '../../contacts/contact-batch.js';
import { ConsentRows, type NewConsent, type NumberedRow } from '../../consents/consent-rows.service.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { permitted } from '../../database/permitted.js';
import { team } from '../../database/team-scope.js';
import { query, type TeamTransactions, Transactions } from '../../database/transactions.js';
import { isErasedNumber } from '../../domain/erased-number.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { FairSemaphore } from '../../fairness/fair-semaphore.js';
import { AppError } from '../../http/app-error.js';
import { FIND_LISTED } from '../../suppression/sql/opt-out.sql.js';
import { columnViewsOf } from '../import-view.js';
import { CHUNK_BYTES, MAX_ROWS } from '../limits.js';
import { Pace } from '../pace.js';
import { TEAM_OF_ROWS, type TeamOfRowsRow } from '../sql/look.sql.js';
import { ROWS_PER_ITERATION } from '../work/prepared-chunk.js';
import { consentReader } from '../work/consent-chunk.js';
import { rowChecker } from '../work/row-checker.js';
import { type UploadedRow } from '../work/row-reader.js';
import { numbersOf } from '../work/suppression-rows.js';
import { type CheckedRow, FirstLook, type ImportLook } from './first-look.js';
import { ImportIntake, readerOf } from './intake.service.js';
import { MS_PER_ROW } from './staging.js';
import { type ImportOptions, type UploadFormats } from './upload-options.js';
import { type CheckedConsent, ConsentLook } from './consent-look.js';
import { type CheckedSuppression, SuppressionLook } from './suppression-look.js';
import { type RowReader, rowsWithin } from './uploaded-rows.js';

/** The most rows whose numbers are looked up together. */
const ROWS_A_LOOK_UP = 500;
/** How long a dry run waits for another one of the team, in milliseconds. */
const WAIT_MS = 10_000;

/** One dry run of each team at a time. A dry run has up to 16 MB of numbers in memory. */
class DryRuns extends FairSemaphore {
  constructor() {
    super(Infinity, 1);
  }

  protected override refusal(): Error {
    return new AppError('CONFLICT', 'Another dry run of the team is in progress');
  }
}

/** How the rows of an import would be stored. */
interface LookOptions extends Pick<ImportOptions, 'type' | 'mode' | 'campaignId' | 'isStrict'> {
  /** The version of the campaign. */
  versionId: string | null;
}

/** Reads files as an import would, and stores nothing. */
@Injectable()
export class ImportLooks {
  private readonly turns = new DryRuns();

  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly intake: ImportIntake,
    private readonly consents: ConsentRows,
    private readonly erasedNumbers: ErasedNumbers,
  ) {}

  /**
   * What an import of the file would do. It reads the file piece by piece.
   *
   * @throws AppError as an upload, except that `CONFLICT` is for another dry run of the team; what `pieces`
   *   throws.
   */
  async look(
    teamId: string,
    options: ImportOptions,
    formats: UploadFormats,
    pieces: AsyncIterable<Buffer>,
  ): Promise<ImportLook> {
    const { versionId } = await this.intake.enrollmentOf(teamId, options);
    return this.lookAt(teamId, { ...options, versionId }, readerOf(pieces, formats, options));
  }

  /** As {@link look}, for rows that are read already. */
  async lookAt(teamId: string, options: LookOptions, reader: RowReader): Promise<ImportLook> {
    return this.turns.run(teamId, () => this.read(teamId, options, reader), WAIT_MS);
  }

  private async read(teamId: string, options: LookOptions, reader: RowReader): Promise<ImportLook> {
    const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
    const [settings] = await own.read<TeamOfRowsRow>(query(TEAM_OF_ROWS, teamId));
    if (settings === undefined) throw new Error('The team of the key is gone');
    if (options.type === 'consents') return this.readConsents(own, teamId, settings.default_country, reader);
    if (options.type === 'suppressions') return this.readSuppressions(own, teamId, settings, reader);
    const rules = {
      teamId,
      defaultCountry: settings.default_country,
      acceptUnknownRanges: settings.accept_unknown_ranges,
      campaignId: options.campaignId,
      versionId: options.versionId,
      isStrict: options.isStrict,
    };
    const look = new FirstLook(options.mode);
    const pace = new Pace(MS_PER_ROW);
    let check: ReturnType<typeof rowChecker> | null = null;
    let checked: CheckedRow[] = [];
    let size = 0;
    let counted: Promise<void> = Promise.resolve();
    // The numbers of a group are looked up while the next group is read.
    const flush = async () => {
      await counted;
      const group = checked;
      counted = holdersOf(own, teamId, group).then((holders) => look.add(group, holders));
      counted.catch(() => undefined);
      await pace.rest(group.length);
      [checked, size] = [[], 0];
    };
    for await (const { value: row } of rowsWithin(reader, MAX_ROWS)) {
      // The columns are known from the first row on.
      check ??= rowChecker(reader.columns, rules);
      checked.push({ row, read: check(row) });
      size += sizeOf(row);
      if (checked.length === ROWS_A_LOOK_UP || size >= CHUNK_BYTES) await flush();
      else if (checked.length % ROWS_PER_ITERATION === 0) await setImmediate();
    }
    if (checked.length > 0) await flush();
    await counted;
    return look.view(columnViewsOf(reader.columns));
  }

  private async readConsents(
    own: TeamTransactions,
    teamId: string,
    country: string | null,
    reader: RowReader,
  ): Promise<ImportLook> {
    const look = new ConsentLook();
    const pace = new Pace(MS_PER_ROW);
    const [clock] = await own.read<{ now: Date }>(this.consents.clock);
    let readRow: ReturnType<typeof consentReader> | null = null;
    let checked: CheckedConsent[] = [];
    let size = 0;
    const flush = async () => {
      look.add(checked, await this.knownOf(own, teamId, checked));
      await pace.rest(checked.length);
      [checked, size] = [[], 0];
    };
    for await (const { value: row } of rowsWithin(reader, MAX_ROWS)) {
      readRow ??= consentReader(reader.columns, (fields) => this.consents.read(fields, country));
      const read = readRow(row);
      const error = read.ok ? this.consents.futureFault(read.value, clock?.now ?? new Date()) : read.message;
      if (read.ok && error === null) checked.push({ row, consent: read.value, error });
      else checked.push({ row, consent: null, error: error ?? '' });
      size += sizeOf(row);
      if (checked.length === ROWS_A_LOOK_UP || size >= CHUNK_BYTES) await flush();
      else if (checked.length % ROWS_PER_ITERATION === 0) await setImmediate();
    }
    if (checked.length > 0) await flush();
    return look.view(columnViewsOf(reader.columns));
  }

  private async readSuppressions(
    own: TeamTransactions,
    teamId: string,
    { default_country: country, has_erased_numbers: hasErasedNumbers }: TeamOfRowsRow,
    reader: RowReader,
  ): Promise<ImportLook> {
    const look = new SuppressionLook();
    const pace = new Pace(MS_PER_ROW);
    let checked: CheckedSuppression[] = [];
    let size = 0;
    const flush = async () => {
      look.add(checked, await this.listedOf(own, { id: teamId, hasErasedNumbers }, checked));
      await pace.rest(checked.length);
      [checked, size] = [[], 0];
    };
    for await (const { value: row } of rowsWithin(reader, MAX_ROWS)) {
      checked.push({ row, read: numbersOf(row, reader.columns, country) });
      size += sizeOf(row);
      if (checked.length === ROWS_A_LOOK_UP || size >= CHUNK_BYTES) await flush();
      else if (checked.length % ROWS_PER_ITERATION === 0) await setImmediate();
    }
    if (checked.length > 0) await flush();
    return look.view(columnViewsOf(reader.columns));
  }

  /** The numbers of the rows that are on the team's list, also in their erased form. */
  private async listedOf(
    own: TeamTransactions,
    ofTeam: { id: string; hasErasedNumbers: boolean },
    checked: readonly CheckedSuppression[],
  ): Promise<ReadonlySet<string>> {
    const numbers = checked.flatMap(({ read }) => (read.ok ? read.phoneNumbers : []));
    const erased = numbers.map(
      (number) => this.erasedNumbers.formsOf(ofTeam, number).find(isErasedNumber) ?? null,
    );
    const rows = await own.read<{ number: string }>(query(FIND_LISTED, ofTeam.id, numbers, erased));
    return new Set(rows.map(({ number }) => number));
  }

  /** The consents among the rows that are recorded already. */
  private async knownOf(
    own: TeamTransactions,
    teamId: string,
    checked: readonly CheckedConsent[],
  ): Promise<ReadonlySet<NewConsent>> {
    const consents = checked.flatMap(({ consent }) => consent ?? []);
    const known = await own.read<NumberedRow>(this.consents.known(teamId, consents));
    return new Set(known.flatMap(({ n }) => consents[n] ?? []));
  }
}

/** The contacts of the team that have the number and the external id of each row. */
async function holdersOf(
  own: TeamTransactions,
  teamId: string,
  checked: readonly CheckedRow[],
): Promise<ReadonlyMap<CheckedRow, Holders>> {
  const read = checked.flatMap((row) => (row.read.ok ? [{ row, contact: row.read.contact }] : []));
  const numbers = read.map(({ contact }) => contact.phone_number);
  const ids = read.map(({ contact }) => contact.external_id);
  const found = await own.read<HoldersOfRow>(query(HOLDERS_OF_ROWS, teamId, numbers, ids));
  return new Map(found.flatMap((holders) => (read[holders.n] ? [[read[holders.n]!.row, holders]] : [])));
}

/** About the size of a row, in UTF-16 units. */
function sizeOf(row: NonNullable<UploadedRow>): number {
  if (typeof row === 'string') return row.length;
  return (Array.isArray(row) ? row : row.cells).reduce((sum, cell) => sum + cell.length, 0);
}
