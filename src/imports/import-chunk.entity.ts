import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Rows of an import that wait to be processed. */
@Entity('import_chunks')
@ForeignKey('imports', ['teamId', 'importId'], ['teamId', 'id'], { name: 'fk_import_chunks_import' })
@Index('ix_import_chunks_team', ['teamId', 'importId', 'firstRow'])
export class ImportChunk {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_chunks' })
  importId: string;

  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_import_chunks' })
  firstRow: number;

  @Column('uuid')
  teamId: string;

  @Column('integer')
  rows: number;

  /** JSON: of each row its cells, or its line; null for one that an erasure has removed. */
  @Column('text')
  data: string;

  /** The last digits of each row's number, by which an erasure finds it; see `ending`. */
  @Column('integer', { array: true })
  endings: number[];
}
