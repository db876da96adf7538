import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

export type CampaignVersionStatus = 'draft' | 'published';

/** The format of the definitions that `parseDefinition` accepts. */
export const DEFINITION_FORMAT = 1;

/**
 * One definition of a campaign, with the enrollments that follow it. At most one version of a campaign is a
 * draft.
 */
@Entity('campaign_versions')
@Unique('uq_campaign_versions_campaign_id', ['teamId', 'campaignId', 'id'])
@Unique('uq_campaign_versions_number', ['campaignId', 'number'])
@Check('ck_campaign_versions_status', `status IN ('draft', 'published')`)
@Check('ck_campaign_versions_definition', `jsonb_typeof(definition) = 'object'`)
@ForeignKey('campaigns', ['teamId', 'campaignId'], ['teamId', 'id'], {
  name: 'fk_campaign_versions_campaign',
})
@Index('ix_campaign_versions_migrating', ['campaignId'], { where: 'migrates_to IS NOT NULL' })
@Index('uq_campaign_versions_one_draft', ['campaignId'], { unique: true, where: `status = 'draft'` })
export class CampaignVersion {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_campaign_versions' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  campaignId: string;

  /** Counts the versions of the campaign, from 1. */
  @Column('integer')
  number: number;

  @Column('text')
  status: CampaignVersionStatus;

  @Column('jsonb', { default: {} })
  definition: Record<string, unknown>;

  /**
   * The format by which `definition` was validated; {@link DEFINITION_FORMAT} today. Null for a version that
   * was stored before definitions were validated: it places no calls.
   */
  @Column('smallint', { nullable: true })
  definitionFormat: number | null;

  /** The version to which the live enrollments of this version are being moved; null without a migration. */
  @Column('uuid', { nullable: true })
  migratesTo: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  publishedAt: Date | null;
}
