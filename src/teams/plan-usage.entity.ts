import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * One shard of the count of calls against a team's plan in one month. The count is the sum of its shards. It
 * is kept only while the team has a monthly limit.
 */
@Entity('plan_usage')
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_plan_usage_team' })
export class PlanUsage {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_plan_usage' })
  teamId: string;

  /** The month's first day, `YYYY-MM-DD`, UTC. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'pk_plan_usage' })
  month: string;

  @PrimaryColumn('integer', { default: 0, primaryKeyConstraintName: 'pk_plan_usage' })
  shard: number;

  @Column('integer')
  used: number;
}
