import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Role } from '../domain/permissions.js';

/**
 * A link that is used once: `welcome` makes the first operator, `invite` gives a role, and with `reset` a person
 * chooses a new password. Only the SHA-256 of its token is stored. The row is deleted when the link is used.
 */
@Entity('access_links')
@ForeignKey('users', ['userId'], ['id'], { name: 'fk_access_links_user', onDelete: 'CASCADE' })
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_access_links_team' })
@Check('ck_access_links_token', 'length(token_hash) = 32')
@Check('ck_access_links_kind', "kind IN ('welcome', 'invite', 'reset')")
@Check('ck_access_links_user', "(user_id IS NULL) = (kind = 'welcome')")
@Check('ck_access_links_role', "role IN ('viewer', 'manager', 'admin', 'operator')")
@Check('ck_access_links_invite', "(kind = 'invite') = (role IS NOT NULL)")
@Check('ck_access_links_scope', "(team_id IS NOT NULL) = (role IS NOT NULL AND role <> 'operator')")
@Index('ix_access_links_user', ['userId'])
@Index('ix_access_links_team', ['teamId'])
@Index('ix_access_links_expires', ['expiresAt'])
export class AccessLink {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_access_links' })
  tokenHash: Buffer;

  @Column('text')
  kind: 'welcome' | 'invite' | 'reset';

  @Column('uuid', { nullable: true })
  userId: string | null;

  /** The team of an invitation; null: an invitation of an operator, or another link. */
  @Column('uuid', { nullable: true })
  teamId: string | null;

  /** What an invitation gives; null for other links. */
  @Column('text', { nullable: true })
  role: Role | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz')
  expiresAt: Date;
}
