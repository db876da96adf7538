import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { type Purpose } from '../../domain/compliance/pack.js';

/** Contacts can be enrolled in an `active` campaign only (contract §2). */
export const CAMPAIGN_STATUSES = ['draft', 'active', 'paused', 'archived'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/**
 * A named set of versions in which contacts are enrolled. It is created with an empty version, which is
 * current.
 */
@Entity('campaigns')
@Unique('uq_campaigns_team_id', ['teamId', 'id'])
@Check('ck_campaigns_status', `status IN ('draft', 'active', 'paused', 'archived')`)
@Check('ck_campaigns_purpose', `purpose IN ('marketing', 'informational', 'debt', 'survey')`)
@Index('ix_campaigns_name', { synchronize: false })
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_campaigns_team' })
@ForeignKey('campaign_versions', ['teamId', 'id', 'currentVersionId'], ['teamId', 'campaignId', 'id'], {
  name: 'fk_campaigns_current_version',
  deferrable: 'INITIALLY DEFERRED',
})
export class Campaign {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_campaigns' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('text')
  name: string;

  @Column('text')
  status: CampaignStatus;

  @Column('uuid')
  currentVersionId: string;

  /** As `parsePacing` reads it; null: no limits. It applies to all versions together. */
  @Column('jsonb', { nullable: true })
  pacing: Record<string, unknown> | null;

  /** As `parseReentry` reads it; null: one entry. */
  @Column('jsonb', { nullable: true })
  reentry: Record<string, unknown> | null;

  /** What its calls are for; null: what the agent or else the team's compliance says. */
  @Column('text', { nullable: true })
  purpose: Purpose | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
