import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type RowResult } from './row-result.js';

/** The results of consecutive rows of an import. */
@Entity('import_results')
@ForeignKey('imports', ['teamId', 'importId'], ['teamId', 'id'], { name: 'fk_import_results_import' })
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
}
