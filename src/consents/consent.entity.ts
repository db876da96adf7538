import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { STORED_NUMBER_CHECK } from '../database/e164-check.js';
import { type ConsentLevel, type Purpose, type Voice } from '../domain/compliance/pack.js';

/** The consent of a person to be called. No row is ever changed; its end is a `ConsentEnding`. */
@Entity('consents')
@Unique('uq_consents_team_id', ['teamId', 'id'])
@Check('ck_consents_number', STORED_NUMBER_CHECK)
@Check('ck_consents_level', `level IN ('express', 'expressWritten')`)
@Check('ck_consents_purpose', `purpose IN ('marketing', 'informational', 'debt', 'survey')`)
@Check('ck_consents_voice', `voice IN ('ai', 'prerecorded', 'live')`)
@Check('ck_consents_expires', 'expires_at > granted_at')
@Index('ix_consents_number', ['teamId', 'phoneNumber', 'grantedAt'])
@Index('ix_consents_listing', ['teamId', 'createdAt', 'id'])
@Index('ix_consents_expires', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
export class Consent {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()', primaryKeyConstraintName: 'pk_consents' })
  id: string;

  @Column('uuid')
  teamId: string;

  /** E.164, or the erased number. */
  @Column('text')
  phoneNumber: string;

  @Column('text')
  level: ConsentLevel;

  /** Null: every purpose. */
  @Column('text', { nullable: true })
  purpose: Purpose | null;

  /** Null: every voice. */
  @Column('text', { nullable: true })
  voice: Voice | null;

  /** How the consent was given, as free text; null: the person was erased. */
  @Column('text', { nullable: true })
  source: string | null;

  /** Where the proof is, as free text. */
  @Column('text', { nullable: true })
  evidence: string | null;

  @Column('timestamptz')
  grantedAt: Date;

  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  /** When the consent was recorded. */
  @Column('timestamptz')
  createdAt: Date;
}
