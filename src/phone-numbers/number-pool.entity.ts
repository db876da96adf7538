import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A team's set of phone numbers, from which the caller ID is picked. */
@Entity('number_pools')
@Unique('uq_number_pools_team_id', ['teamId', 'id'])
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_number_pools_team' })
export class NumberPool {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_number_pools' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
