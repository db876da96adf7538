import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The database that the processes worked on last; no row before the first process started. */
@Entity('database_identity')
@Check('ck_database_identity_one_row', 'id')
export class DatabaseIdentity {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'pk_database_identity' })
  id: true;

  /** Of the cluster; null where the server does not tell. */
  @Column('text', { nullable: true })
  systemIdentifier: string | null;

  @Column('text')
  databaseOid: string;

  /** It changes with a recovery from archived log and with a failover; null where the server does not tell. */
  @Column('integer', { nullable: true })
  timeline: number | null;

  /** When a process noticed that the database was restored; null once the platform is resumed. */
  @Column('timestamptz', { nullable: true })
  restoredAt: Date | null;

  /** Of the database as it was restored. */
  @Column('timestamptz', { nullable: true })
  newestRowAt: Date | null;
}
