import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type Actor } from '../database/actor.js';
import { STORED_NUMBER_CHECK } from '../database/e164-check.js';
import { type Purpose } from '../domain/compliance/pack.js';
import { type SuppressionScope, type SuppressionSource } from '../domain/limited-entry.js';

/**
 * One entry of the suppression ledger: a number was added to a Do Not Call list, or removed from it. Entries are only
 * added; an erasure replaces the number by its erased form.
 */
@Entity('suppression_entries')
@Check('ck_suppression_entries_number', STORED_NUMBER_CHECK)
@Check('ck_suppression_entries_action', "action IN ('added', 'removed')")
@Check(
  'ck_suppression_entries_scope',
  `scope IN ('team', 'campaign', 'agent', 'platform')
        AND (scope = 'platform') = (team_id IS NULL) AND (scope = 'campaign') = (campaign_id IS NOT NULL)
        AND (scope = 'agent') = (agent_id IS NOT NULL)`,
)
@Check('ck_suppression_entries_source', "source IN ('request', 'opt_out', 'register', 'import', 'operator')")
@Check('ck_suppression_entries_actor', "actor_kind IN ('user', 'key', 'token', 'cli', 'system')")
@Check(
  'ck_suppression_entries_expiry',
  "expires_at IS NULL OR source <> 'opt_out' AND expires_at > effective_from",
)
@Index('ix_suppression_entries_number', ['teamId', 'phoneNumber', 'id'])
@Index('ix_suppression_entries_recorded_at', ['recordedAt'])
export class SuppressionEntry {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_suppression_entries',
  })
  id: string;

  /** Null: the platform. */
  @Column('uuid', { nullable: true })
  teamId: string | null;

  /** E.164, or the erased number. */
  @Column('text')
  phoneNumber: string;

  @Column('text')
  action: 'added' | 'removed';

  @Column('text')
  scope: SuppressionScope;

  @Column('uuid', { nullable: true })
  campaignId: string | null;

  @Column('uuid', { nullable: true })
  agentId: string | null;

  @Column('text', { nullable: true })
  purpose: Purpose | null;

  @Column('text')
  source: SuppressionSource;

  @Column('text')
  actorKind: Actor['kind'];

  @Column('uuid', { nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  actorName: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz')
  effectiveFrom: Date;

  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  recordedAt: Date;
}
