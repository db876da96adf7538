import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type FailedRow, type RowResult } from './row-result.js';

/** The results of consecutive rows of an import. */
@Entity('import_results')
@ForeignKey('imports', ['teamId', 'importId'], ['teamId', 'id'], { name: 'fk_import_results_import' })
@Index('ix_import_results_failed', ['teamId', 'importId', 'firstRow'], { where: 'endings IS NOT NULL' })
export class ImportResults {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_results' })
  importId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_import_results' })
  firstRow: number;

  @Column('uuid')
  teamId: string;

  @Column('integer')
  failed: number;

  /** In the order of the rows. */
  @Column('json')
  results: RowResult[];

  /** The rows with an error, in their order; null if there are none. */
  @Column('json', { nullable: true })
  failedRows: FailedRow[] | null;

  /** The last digits of the phone numbers of `failedRows`, by which an erasure finds them; see `endingOf`. */
  @Column('integer', { array: true, nullable: true })
  endings: number[] | null;
}
