import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The change of a count by one statement. The worker adds the change to the count and deletes this row. */
@Entity('campaign_count_changes')
export class CampaignCountChange {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_campaign_count_changes' })
  campaignId: string;

  /** Only makes the key unique; it gives no order. */
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_campaign_count_changes' })
  id: string;

  @Column('uuid')
  versionId: string;

  @Column('text')
  kind: string;

  @Column('text')
  name: string;

  @Column('uuid')
  teamId: string;

  @Column('integer')
  n: number;
}
