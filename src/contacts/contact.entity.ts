import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { STORED_NUMBER_CHECK } from '../database/e164-check.js';
import { type ContactFieldValues } from '../domain/contact-fields.js';

/** A phone number of a team, with its fields and custom properties. */
@Entity('contacts')
@Unique('uq_contacts_team_number', ['teamId', 'phoneNumber'])
@Unique('uq_contacts_team_id', ['teamId', 'id'])
@Check('ck_contacts_number', STORED_NUMBER_CHECK)
@Check('ck_contacts_custom_properties', `jsonb_typeof(custom_properties) = 'object'`)
@Index('ix_contacts_listing', ['teamId', 'createdAt', 'id'])
@Index('ix_contacts_changed', ['teamId', 'updatedAt'], { where: 'erased_at IS NULL' })
@Index('ix_contacts_email', ['teamId', 'email'], { where: 'email IS NOT NULL' })
@Index('uq_contacts_external_id', ['teamId', 'externalId'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('ix_contacts_name', { synchronize: false })
@Index('ix_contacts_last_digits', { synchronize: false })
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_contacts_team' })
export class Contact implements ContactFieldValues {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()', primaryKeyConstraintName: 'pk_contacts' })
  id: string;

  @Column('uuid')
  teamId: string;

  /** E.164. After an erasure, `erased:` and the id of the contact. */
  @Column('text')
  phoneNumber: string;

  /** Id in another system, printable ASCII. */
  @Column('text', { nullable: true })
  externalId: string | null;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { nullable: true })
  companyName: string | null;

  @Column('text', { nullable: true })
  companyWebsite: string | null;

  /** IANA time zone name. */
  @Column('text', { nullable: true })
  timezone: string | null;

  /** Every key of the requests that is not a field, with its JSON value. */
  @Column('jsonb', { default: {} })
  customProperties: Record<string, unknown>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt: Date;

  /** When the contact was erased. The row stays for the rows that refer to it. */
  @Column('timestamptz', { nullable: true })
  erasedAt: Date | null;
}
