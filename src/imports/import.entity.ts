import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type ContactColumn } from '../domain/contact-columns.js';
import { type UndoCounts } from './undo-counts.js';

export const IMPORT_STATES = [
  'staging',
  'held',
  'running',
  'finished',
  'canceled',
  'failed',
  'undoing',
  'undone',
] as const;
/**
 * `staging`: the rows are being uploaded; `held`: the rows wait until the import is started; `running`: the rows
 * wait for a worker, or are being processed; `undoing`: the same for the undo.
 */
export type ImportStatus = (typeof IMPORT_STATES)[number];

export const IMPORT_MODES = ['create', 'upsert'] as const;
/** How a row is processed if the team has a contact with the row's number: as an error, or as an update. */
export type ImportMode = (typeof IMPORT_MODES)[number];

export const IMPORT_TYPES = ['contacts', 'suppressions', 'consents'] as const;
/** What the rows of a file are: contacts, numbers that go on the Do Not Call list, or consents. */
export type ImportType = (typeof IMPORT_TYPES)[number];

/** An import of one uploaded file. */
@Entity('imports')
@Unique('uq_imports_team_id', ['teamId', 'id'])
@Check(
  'ck_imports_status',
  `status IN ('staging', 'running', 'finished', 'canceled', 'failed', 'held', 'undoing', 'undone')`,
)
@Check('ck_imports_type', `type IN ('contacts', 'suppressions', 'consents')`)
@Check('ck_imports_mode', `mode IN ('create', 'upsert')`)
@Check('ck_imports_finished', `(finished_at IS NULL) = (status IN ('staging', 'held', 'running'))`)
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_imports_team' })
@Index('ix_imports_listing', ['teamId', 'createdAt', 'id'])
@Index('uq_imports_staging', ['teamId'], { unique: true, where: `status = 'staging'` })
@Index('ix_imports_open', ['teamId', 'createdAt', 'id'], {
  where: `status IN ('staging', 'held', 'running', 'undoing')`,
})
@Index('ix_imports_finished', ['finishedAt'], { where: 'finished_at IS NOT NULL' })
export class Import {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()', primaryKeyConstraintName: 'pk_imports' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('text')
  status: ImportStatus;

  @Column('text', { default: 'contacts' })
  type: ImportType;

  @Column('text')
  mode: ImportMode;

  /** The campaign in which rows without a `campaignId` are enrolled; null: none. */
  @Column('uuid', { nullable: true })
  campaignId: string | null;

  /** The version of the campaign, as it was resolved when the import began. */
  @Column('uuid', { nullable: true })
  versionId: string | null;

  /** The columns of a CSV file; null for NDJSON. */
  @Column('json', { nullable: true })
  mapping: ContactColumn[] | null;

  /** Whether a row with a malformed e-mail address is an error. */
  @Column('boolean', { default: false })
  strict: boolean;

  /** Rows that were uploaded so far. */
  @Column('integer', { default: 0 })
  rows: number;

  /** The row that is processed next. All rows before it have a result. */
  @Column('integer', { default: 1 })
  nextRow: number;

  @Column('integer', { default: 0 })
  created: number;

  @Column('integer', { default: 0 })
  updated: number;

  @Column('integer', { default: 0 })
  enrolled: number;

  @Column('integer', { default: 0 })
  failed: number;

  /** Processed rows with a warning. */
  @Column('integer', { default: 0 })
  warned: number;

  /** Stored rows without a time zone. */
  @Column('integer', { default: 0 })
  withoutTimezone: number;

  /** Processed rows whose contact was that of an earlier row. */
  @Column('integer', { default: 0 })
  repeatedNumbers: number;

  /** Stored rows by the country of their number. */
  @Column('jsonb', { default: {} })
  countries: Record<string, number>;

  /** Why the import failed. */
  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz')
  createdAt: Date;

  /** When the import ended, in any way. */
  @Column('timestamptz', { nullable: true })
  finishedAt: Date | null;

  /** The end of the lease of an upload, or of a worker. */
  @Column('timestamptz', { nullable: true })
  leasedUntil: Date | null;

  /** When a worker last leased the import. */
  @Column('timestamptz', { nullable: true })
  workedAt: Date | null;

  /** Whether `import_contacts` says what the import did. Versions before the undo did not write it. */
  @Column('boolean', { default: false })
  tracked: boolean;

  /** The last contact whose import is undone, by the order of the ids. */
  @Column('uuid', { nullable: true })
  undoneAfter: string | null;

  /** What the undo did so far; null: the import was not undone. */
  @Column('jsonb', { nullable: true })
  undo: UndoCounts | null;

  @Column('timestamptz', { nullable: true })
  undoBeganAt: Date | null;

  @Column('timestamptz', { nullable: true })
  undoneAt: Date | null;
}
