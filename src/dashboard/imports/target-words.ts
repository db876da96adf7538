import { type ColumnTarget } from '../../domain/contact-columns.js';
import { type ImportView } from '../../imports/import-view.js';

/** What a column can be, in the order of the choice. */
export const TARGET_WORDS: Record<ColumnTarget, string> = {
  phoneNumber: 'Phone number',
  firstName: 'First name',
  lastName: 'Last name',
  name: 'Whole name',
  email: 'E-mail',
  companyName: 'Company',
  companyWebsite: 'Website',
  timezone: 'Time zone',
  externalId: 'External id',
  campaignId: 'Campaign id',
  teamId: 'Team id',
  level: 'Level',
  purpose: 'Purpose',
  voice: 'Voice',
  source: 'Source',
  evidence: 'Evidence',
  grantedAt: 'Given at',
  expiresAt: 'Expires at',
  property: 'Custom property',
  ignore: 'Leave out',
};

const OF_CONTACTS: readonly ColumnTarget[] = [
  'phoneNumber',
  'firstName',
  'lastName',
  'name',
  'email',
  'companyName',
  'companyWebsite',
  'timezone',
  'externalId',
  'campaignId',
  'property',
  'ignore',
];

const OF_CONSENTS: readonly ColumnTarget[] = [
  'phoneNumber',
  'level',
  'purpose',
  'voice',
  'source',
  'evidence',
  'grantedAt',
  'expiresAt',
  'ignore',
];

export function targetsOf(type: ImportView['type']): readonly ColumnTarget[] {
  if (type === 'contacts') return OF_CONTACTS;
  return type === 'consents' ? OF_CONSENTS : ['phoneNumber', 'ignore'];
}

/** Why a row is refused, in which the field has its name for people. */
export function reasonText(reason: string): string {
  return reason.replace(/^\w+/, (name) => TARGET_WORDS[name as ColumnTarget] ?? name);
}
