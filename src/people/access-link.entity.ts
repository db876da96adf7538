import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A link that is used once: `welcome` makes the first operator, `invite` and `reset` let a person choose a password.
 * Only the SHA-256 of its token is stored. The row is deleted when the link is used.
 */
@Entity('access_links')
@ForeignKey('users', ['userId'], ['id'], { name: 'fk_access_links_user', onDelete: 'CASCADE' })
@Check('ck_access_links_token', 'length(token_hash) = 32')
@Check('ck_access_links_kind', "kind IN ('welcome', 'invite', 'reset')")
@Check('ck_access_links_user', "(user_id IS NULL) = (kind = 'welcome')")
@Index('ix_access_links_user', ['userId'])
export class AccessLink {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_access_links' })
  tokenHash: Buffer;

  @Column('text')
  kind: 'welcome' | 'invite' | 'reset';

  @Column('uuid', { nullable: true })
  userId: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz')
  expiresAt: Date;
}
