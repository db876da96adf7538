import { Check, Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { type CallingHours } from '../domain/calling-hours.js';

/**
 * What talks: its prompt templates, the hours it may dial in, where it calls from and through which carrier.
 */
@Entity('voice_agents')
@Check('ck_voice_agents_carrier_settings', `jsonb_typeof(carrier_settings) = 'object'`)
@Unique('uq_voice_agents_team_id', ['teamId', 'id'])
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_voice_agents_team' })
@ForeignKey('phone_numbers', ['teamId', 'outboundPhoneNumber'], ['teamId', 'phoneNumber'], {
  name: 'fk_voice_agents_number',
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

  /** `null` is any time. */
  @Column('jsonb', { nullable: true })
  callingHours: CallingHours;

  /** Local dates `YYYY-MM-DD` on which no window starts. */
  @Column('text', { array: true, default: [] })
  closedDates: string[];

  @Column('text', { default: '' })
  promptTemplate: string;

  @Column('text', { default: '' })
  firstMessageTemplate: string;

  /** E.164, of the team's own numbers. The pool takes precedence over it. */
  @Column('text', { nullable: true })
  outboundPhoneNumber: string | null;

  @Column('uuid', { nullable: true })
  numberPoolId: string | null;

  /** Name of a carrier; `null` is the deployment's own choice. */
  @Column('text', { nullable: true })
  carrier: string | null;

  /** What only that carrier understands, such as where its agent runs. */
  @Column('jsonb', { default: {} })
  carrierSettings: Record<string, unknown>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** Set: it is a tombstone for its calls, in no list, and no new call names it. */
  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;
}
