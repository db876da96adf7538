import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { type KeyScope } from '../domain/key-scopes.js';

/** A team's bearer credential. Only the SHA-256 of the key is stored, not the key itself. */
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

  /** The scopes that the key is limited to. Null: the key has every scope, also those of later versions. */
  @Column('text', { array: true, nullable: true })
  scopes: KeyScope[] | null;

  /** The instant from which the key is refused as unknown; null: the key does not expire. */
  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  /** The last use, to the minute; null until a process has written the first use. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;
}
