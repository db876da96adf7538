import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The repairs of one worker's sweeper since the worker started. */
@Entity('sweeper_runs')
export class SweeperRun {
  /** Host and process id. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_sweeper_runs' })
  worker: string;

  @Column('timestamptz')
  startedAt: Date;

  /** The last run that did not fail. */
  @Column('timestamptz')
  ranAt: Date;

  @Column('integer')
  durationMs: number;

  /** The last run that found something to repair. */
  @Column('timestamptz', { nullable: true })
  repairedAt: Date | null;

  @Column('integer')
  woken: number;

  @Column('integer')
  expired: number;

  @Column('integer')
  unknown: number;

  @Column('integer')
  resolved: number;
}
