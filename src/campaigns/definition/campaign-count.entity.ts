import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A count of a version's enrollments or calls, without the changes that are not added yet. Functions of the
 * database write it.
 */
@Entity('campaign_counts')
export class CampaignCount {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_campaign_counts' })
  campaignId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_campaign_counts' })
  versionId: string;

  /** As `enrollment_counts` gives them: `live`, `ended`, `attempted`, `reached` or `attempt`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_campaign_counts' })
  kind: string;

  /**
   * For `live`, what the enrollments wait for; for `ended`, the reason; for `attempt`, the outcome. Otherwise
   * empty.
   */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_campaign_counts' })
  name: string;

  @Column('uuid')
  teamId: string;

  @Column('integer')
  n: number;
}
