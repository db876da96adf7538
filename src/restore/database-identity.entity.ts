import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The identity of the database that the processes used last. There is no row before the first process has
 * started.
 */
@Entity('database_identity')
@Check('ck_database_identity_one_row', 'id')
export class DatabaseIdentity {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'pk_database_identity' })
  id: true;

  /** The cluster's system identifier; null if the server hides it. */
  @Column('text', { nullable: true })
  systemIdentifier: string | null;

  @Column('text')
  databaseOid: string;

  /**
   * The timeline, which changes with a recovery from archived WAL and with a failover; null if the server
   * hides it.
   */
  @Column('integer', { nullable: true })
  timeline: number | null;

  /** When a process noticed that the database was restored; null once the platform is resumed. */
  @Column('timestamptz', { nullable: true })
  restoredAt: Date | null;

  /**
   * When the newest row of the restored database was written; null without a restore, or if there are no
   * rows.
   */
  @Column('timestamptz', { nullable: true })
  newestRowAt: Date | null;
}
