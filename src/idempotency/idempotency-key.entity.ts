import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The stored answer to a team's `Idempotency-Key`. */
@Entity('idempotency_keys')
@Check('ck_idempotency_keys_fingerprint', 'length(fingerprint) = 32')
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_idempotency_keys_team' })
@Index('ix_idempotency_keys_created', ['createdAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_idempotency_keys' })
  teamId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_idempotency_keys' })
  key: string;

  /** SHA-256 of method, path, query, `External-Id` and body. */
  @Column('bytea')
  fingerprint: Buffer;

  @Column('smallint')
  status: number;

  /** The type `json` keeps the text, so that a repetition gets exactly the same answer. */
  @Column('json')
  body: Record<string, unknown>;

  @Column('timestamptz')
  createdAt: Date;
}
