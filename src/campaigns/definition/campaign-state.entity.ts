import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What a campaign was last found to have come to, so that each such state has one event. */
@Entity('campaign_states')
@Check('ck_campaign_states_state', `state IN ('finished', 'stalled')`)
@ForeignKey('campaigns', ['teamId', 'campaignId'], ['teamId', 'id'], { name: 'fk_campaign_states_campaign' })
export class CampaignState {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_campaign_states' })
  campaignId: string;

  @Column('uuid')
  teamId: string;

  /** `finished`: it has enrollments, and none is live. `stalled`: only a change helps all live ones. Null: neither. */
  @Column('text', { nullable: true })
  state: string | null;

  /** What most of the enrollments of a stalled campaign wait for. */
  @Column('text', { nullable: true })
  rule: string | null;

  /** How many enrollments a finished campaign has; otherwise 0. */
  @Column('integer')
  enrolled: number;

  /** When the campaign was first found in this state. */
  @Column('timestamptz')
  since: Date;

  /** When the event of this state was written. */
  @Column('timestamptz', { nullable: true })
  toldAt: Date | null;
}
