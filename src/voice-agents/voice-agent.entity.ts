import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { type CallingHours } from '../domain/calling-hours.js';
import { type Purpose } from '../domain/compliance/pack.js';

/**
 * The configuration of one talking agent: prompt templates, calling hours, default caller ID, and carrier.
 */
@Entity('voice_agents')
@Check('ck_voice_agents_carrier_settings', `jsonb_typeof(carrier_settings) = 'object'`)
@Check('ck_voice_agents_purpose', `purpose IN ('marketing', 'informational', 'debt', 'survey')`)
@Unique('uq_voice_agents_team_id', ['teamId', 'id'])
@Index('ix_voice_agents_name', { synchronize: false })
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_voice_agents_team' })
@ForeignKey('phone_numbers', ['teamId', 'outboundPhoneNumber'], ['teamId', 'phoneNumber'], {
  name: 'fk_voice_agents_number',
})
@ForeignKey('carrier_accounts', ['teamId', 'carrierAccountId'], ['teamId', 'id'], {
  name: 'fk_voice_agents_account',
})
@ForeignKey('number_pools', ['teamId', 'numberPoolId'], ['teamId', 'id'], { name: 'fk_voice_agents_pool' })
export class VoiceAgent {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_voice_agents' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('text')
  name: string;

  /** IANA time zone name, for contacts whose own zone is unknown. */
  @Column('text')
  timezone: string;

  /** `null`: at any time. */
  @Column('jsonb', { nullable: true })
  callingHours: CallingHours;

  /** Local dates `YYYY-MM-DD` on which no window starts, and into which no window extends. */
  @Column('text', { array: true, default: [] })
  closedDates: string[];

  @Column('text', { default: '' })
  promptTemplate: string;

  @Column('text', { default: '' })
  firstMessageTemplate: string;

  /**
   * The default caller ID in E.164, a number of the team. If the agent has a number pool, the pool takes
   * precedence.
   */
  @Column('text', { nullable: true })
  outboundPhoneNumber: string | null;

  @Column('uuid', { nullable: true })
  numberPoolId: string | null;

  /** Name of a carrier; `null`: the deployment's default carrier. */
  @Column('text', { nullable: true })
  carrier: string | null;

  /** The team's own account at the carrier; `null`: the deployment's account. */
  @Column('uuid', { nullable: true })
  carrierAccountId: string | null;

  /** Settings that only the agent's carrier can read, such as the URL of a voice runtime. */
  @Column('jsonb', { default: {} })
  carrierSettings: Record<string, unknown>;

  /** What its calls are for; `null`: what the team's compliance says. */
  @Column('text', { nullable: true })
  purpose: Purpose | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /**
   * If set, the agent is deleted. It is in no list, and no new call names it. Its row remains for its earlier
   * calls.
   */
  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;
}
