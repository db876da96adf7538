import { COLUMN_TARGETS, type ColumnTarget } from '../../domain/contact-columns.js';
import { CONSENT_FIELDS } from '../../domain/consent-fields.js';
import { type ImportView } from '../../imports/import-view.js';
import { FIELD_LABELS } from '../contacts/contact-labels.js';

/** What a column can be, in the order of the choice. */
export const TARGET_WORDS: Record<ColumnTarget, string> = {
  ...FIELD_LABELS,
  phoneNumber: 'Phone number',
  firstName: 'First name',
  lastName: 'Last name',
  name: 'Whole name',
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

const FIRST: readonly ColumnTarget[] = ['phoneNumber', 'firstName', 'lastName', 'name'];
/** The file is of the team of the page. */
const OF_CONTACTS: readonly ColumnTarget[] = [
  ...FIRST,
  ...COLUMN_TARGETS.filter((target) => !FIRST.includes(target) && target !== 'teamId'),
];
const OF_CONSENTS: readonly ColumnTarget[] = [...CONSENT_FIELDS, 'ignore'];

export function targetsOf(type: ImportView['type']): readonly ColumnTarget[] {
  if (type === 'contacts') return OF_CONTACTS;
  return type === 'consents' ? OF_CONSENTS : ['phoneNumber', 'ignore'];
}

/** Why a row is refused, in which the field has its name for people. */
export function reasonText(reason: string): string {
  return reason.replace(/^\w+/, (name) => TARGET_WORDS[name as ColumnTarget] ?? name);
}
