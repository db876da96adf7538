import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type TeamRole } from '../domain/permissions.js';

/** What a person is in a team. */
@Entity('memberships')
@ForeignKey('users', ['userId'], ['id'], { name: 'fk_memberships_user', onDelete: 'CASCADE' })
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_memberships_team' })
@Check('ck_memberships_role', "role IN ('viewer', 'manager', 'admin')")
@Index('ix_memberships_team', ['teamId'])
export class Membership {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_memberships' })
  userId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_memberships' })
  teamId: string;

  @Column('text')
  role: TeamRole;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
