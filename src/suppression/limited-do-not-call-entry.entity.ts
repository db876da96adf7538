import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { STORED_NUMBER_CHECK } from '../database/e164-check.js';
import { type Purpose } from '../domain/compliance/pack.js';
import { type SuppressionScope } from '../domain/limited-entry.js';

/** A number that a team does not dial for a campaign, an agent, a purpose or a time. */
@Entity('limited_do_not_call')
@Check('ck_limited_do_not_call_number', STORED_NUMBER_CHECK)
@Check(
  'ck_limited_do_not_call_scope',
  `scope IN ('team', 'campaign', 'agent')
        AND (scope = 'campaign') = (campaign_id IS NOT NULL) AND (scope = 'agent') = (agent_id IS NOT NULL)`,
)
@Check('ck_limited_do_not_call_expiry', 'expires_at > effective_from')
@Index('ix_limited_do_not_call_listing', ['teamId', 'createdAt', 'id'])
@Index('ix_limited_do_not_call_expires_at', ['expiresAt'])
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_limited_do_not_call_team' })
@ForeignKey('campaigns', ['teamId', 'campaignId'], ['teamId', 'id'], {
  name: 'fk_limited_do_not_call_campaign',
})
@ForeignKey('voice_agents', ['teamId', 'agentId'], ['teamId', 'id'], { name: 'fk_limited_do_not_call_agent' })
export class LimitedDoNotCallEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_limited_do_not_call' })
  teamId: string;

  /** E.164, or the erased number. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_limited_do_not_call' })
  phoneNumber: string;

  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_limited_do_not_call' })
  id: string;

  @Column('text')
  scope: Exclude<SuppressionScope, 'platform'>;

  @Column('uuid', { nullable: true })
  campaignId: string | null;

  @Column('uuid', { nullable: true })
  agentId: string | null;

  /** null: for every purpose. */
  @Column('text', { nullable: true })
  purpose: Purpose | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz')
  effectiveFrom: Date;

  /** null: never. */
  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
