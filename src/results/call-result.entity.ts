import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What was found out in the conversation of a call, as first reported. It is removed with the call. */
@Entity('call_results')
@Check('ck_call_results_data', `data IS NULL OR jsonb_typeof(data) = 'object'`)
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_call_results_team' })
export class CallResult {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_call_results' })
  callRequestId: string;

  @Column('uuid')
  teamId: string;

  @Column('text', { nullable: true })
  disposition: string | null;

  /** As it was requested. The instant may be in the past. */
  @Column('timestamptz', { nullable: true })
  callbackAt: Date | null;

  @Column('boolean')
  optOut: boolean;

  @Column('jsonb', { nullable: true })
  data: Record<string, unknown> | null;

  @Column('timestamptz')
  recordedAt: Date;
}
