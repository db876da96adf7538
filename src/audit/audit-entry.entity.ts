import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type Actor } from '../database/actor.js';

/** One row of the audit log. */
@Entity('audit_log')
@Check('ck_audit_log_actor', "actor_kind IN ('user', 'key', 'token', 'cli', 'system')")
@Index('ix_audit_log_team', ['teamId', 'id'])
@Index('ix_audit_log_at', ['at'])
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_audit_log',
  })
  id: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at: Date;

  @Column('text')
  actorKind: Actor['kind'];

  @Column('uuid', { nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  actorName: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  /** Null: the platform. */
  @Column('uuid', { nullable: true })
  teamId: string | null;

  /** Such as `api_key.revoked`. */
  @Column('text')
  action: string;

  /** Such as `api_key`. */
  @Column('text')
  targetType: string;

  @Column('text', { nullable: true })
  targetId: string | null;

  /** The fields that were changed, without secrets; of personal fields, only the names. */
  @Column('jsonb', { nullable: true })
  before: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  after: Record<string, unknown> | null;
}
