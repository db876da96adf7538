import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What was decided and said about a call, apart from the row that its moves write: a row at the trigger, and one for each claim. Only an
 * erasure changes it. Ids of version 7 lead to the partition of their month.
 */
@Entity('call_details')
export class CallDetails {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_call_details' })
  id: string;

  /** That of the claim, or -1: at the trigger. */
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

  /** What a pending call has on its own row; null: `{}`. */
  @Column('jsonb', { nullable: true })
  variables: Record<string, unknown> | null;
}
