import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** What one statement changed about a count; the worker adds it to the count, and it is gone. */
@Entity('campaign_count_changes')
export class CampaignCountChange {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_campaign_count_changes' })
  campaignId: string;

  /** Tells changes apart, and orders nothing. */
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
