import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A browser in which a person is signed in. Only the SHA-256 of its cookie is stored. */
@Entity('sessions')
@ForeignKey('users', ['userId'], ['id'], { name: 'fk_sessions_user', onDelete: 'CASCADE' })
@Check('ck_sessions_token', 'length(token_hash) = 32')
@Index('ix_sessions_user', ['userId'])
@Index('ix_sessions_created', ['createdAt'])
@Index('ix_sessions_last_seen', ['lastSeenAt'])
export class Session {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_sessions' })
  tokenHash: Buffer;

  @Column('uuid')
  userId: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** The last request, to the minute. */
  @Column('timestamptz', { default: () => 'now()' })
  lastSeenAt: Date;
}
