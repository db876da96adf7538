import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { STORED_NUMBER_CHECK } from '../database/e164-check.js';

/** The end of one consent, or of all consents of a number that were given up to an instant. No row is ever changed. */
@Entity('consent_endings')
@Check('ck_consent_endings_number', STORED_NUMBER_CHECK)
@Index('ix_consent_endings_number', ['teamId', 'phoneNumber', 'endedAt'])
@Index('ix_consent_endings_consent', ['teamId', 'consentId'], { where: 'consent_id IS NOT NULL' })
@Index('ix_consent_endings_ended', ['endedAt'])
@ForeignKey('consents', ['teamId', 'consentId'], ['teamId', 'id'], { name: 'fk_consent_endings_consent' })
export class ConsentEnding {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()', primaryKeyConstraintName: 'pk_consent_endings' })
  id: string;

  @Column('uuid')
  teamId: string;

  /** That of the consent: E.164, or the erased number. */
  @Column('text')
  phoneNumber: string;

  /** The consent that was revoked. Null: the person opted out, which ends every consent up to `endedAt`. */
  @Column('uuid', { nullable: true })
  consentId: string | null;

  @Column('timestamptz')
  endedAt: Date;

  /** Of a revocation, as free text. */
  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz')
  createdAt: Date;
}
