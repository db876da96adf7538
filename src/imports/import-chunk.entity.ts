import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Rows of an import that wait to be processed. */
@Entity('import_chunks')
@ForeignKey('imports', ['teamId', 'importId'], ['teamId', 'id'], { name: 'fk_import_chunks_import' })
@Index('ix_import_chunks_team', ['teamId', 'importId', 'firstRow'])
export class ImportChunk {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_chunks' })
  importId: string;

  /** The chunk's first row, counted from 1 within the import. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_import_chunks' })
  firstRow: number;

  @Column('uuid')
  teamId: string;

  @Column('integer')
  rows: number;

  /**
   * A JSON array. It has for each row its cells (CSV) or its line (NDJSON), or null if an erasure has removed
   * the row.
   */
  @Column('text')
  data: string;

  /** The last digits of each row's phone number, by which an erasure finds the row; see `endingOf`. */
  @Column('integer', { array: true })
  endings: number[];
}
