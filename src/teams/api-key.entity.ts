import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { type KeyScope } from '../domain/key-scopes.js';

/** A team's bearer credential. The key itself is nowhere: only its SHA-256 is. */
@Entity('api_keys')
@Unique('uq_api_keys_hash', ['keyHash'])
@Check('ck_api_keys_hash', 'length(key_hash) = 32')
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_api_keys_team' })
@Index('ix_api_keys_team', ['teamId'])
export class ApiKey {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_api_keys' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('text')
  name: string;

  /** The key's first characters, by which people recognise it. */
  @Column('text')
  prefix: string;

  @Column('bytea')
  keyHash: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;

  /** What the key is limited to; null is nothing: it has every scope, also those of later versions. */
  @Column('text', { array: true, nullable: true })
  scopes: KeyScope[] | null;

  /** From then on the key is unknown. */
  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  /** To the minute; null until the first use is noted. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;
}
