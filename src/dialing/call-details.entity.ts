import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The decisions, prompts and variables of a call: one row of a trigger that queued the call, and one row of
 * each claim. Later transitions of the call do not write the rows again. Only an erasure or the retention
 * changes a row. The id is a UUID of version 7; its month determines the partition.
 */
@Entity('call_details')
export class CallDetails {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_call_details' })
  id: string;

  /** The generation of the claim, or -1 for the row of the trigger. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_call_details' })
  generation: number;

  @Column('uuid')
  teamId: string;

  @Column('jsonb', { nullable: true })
  decision: unknown;

  @Column('text', { nullable: true })
  prompt: string | null;

  @Column('text', { nullable: true })
  firstMessage: string | null;

  /** The call's variables; null: `{}`. While the call is pending, they are in the row of the call itself. */
  @Column('jsonb', { nullable: true })
  variables: Record<string, unknown> | null;
}
