import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The decisions, prompts and variables of a call: one row at the trigger, and one for each claim. The
 * transitions of the call do not write them again. Only an erasure changes a row. An id of version 7
 * determines the partition, by its month.
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

  /** The call's variables, which are on its own row while it is pending; null: `{}`. */
  @Column('jsonb', { nullable: true })
  variables: Record<string, unknown> | null;
}
