import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * One call request of an enrollment, written in the transaction of its claim. The primary key prevents a
 * second claim from the same state of the enrollment.
 */
@Entity('enrollment_dials')
@ForeignKey('campaigns', ['teamId', 'campaignId'], ['teamId', 'id'], { name: 'fk_enrollment_dials_campaign' })
@Index('ix_enrollment_dials_campaign', ['campaignId', 'claimedAt'])
export class EnrollmentDial {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_enrollment_dials' })
  enrollmentId: string;

  /** Counts the call requests of the enrollment from 1, dialed or not. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_enrollment_dials' })
  seq: number;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  campaignId: string;

  @Column('uuid')
  callRequestId: string;

  /** The key of the step that dialed. */
  @Column('text')
  step: string;

  /** Whether the result of an earlier call requested this one. */
  @Column('boolean', { default: false })
  callback: boolean;

  @Column('timestamptz')
  claimedAt: Date;
}
