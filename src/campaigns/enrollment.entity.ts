import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { type EnrollmentState } from '../domain/enrollment-states.js';

export type EnrollmentStatus = EnrollmentState;

/** One contact in one campaign, pinned to the version that was resolved when it was enrolled. */
@Entity('enrollments')
@Unique('uq_enrollments_campaign_contact', ['campaignId', 'contactId'])
@Check('ck_enrollments_status', `status IN ('active', 'paused', 'completed', 'exited', 'failed')`)
@ForeignKey('campaign_versions', ['teamId', 'campaignId', 'versionId'], ['teamId', 'campaignId', 'id'], {
  name: 'fk_enrollments_version',
})
@ForeignKey('contacts', ['teamId', 'contactId'], ['teamId', 'id'], { name: 'fk_enrollments_contact' })
@Index('ix_enrollments_contact', ['teamId', 'contactId'])
@Index('ix_enrollments_version', ['versionId', 'status'])
export class Enrollment {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_enrollments' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  campaignId: string;

  @Column('uuid')
  contactId: string;

  @Column('uuid')
  versionId: string;

  @Column('text', { default: 'active' })
  status: EnrollmentStatus;

  /** Free-text label of the request that enrolled. */
  @Column('text', { nullable: true })
  source: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt: Date;
}
