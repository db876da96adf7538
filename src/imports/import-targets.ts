import { CONSENT_FIELDS } from '../domain/consent-fields.js';
import {
  COLUMN_TARGETS,
  type ColumnTarget,
  type ContactColumn,
  mayBeNumber,
  PROPERTIES_COLUMN,
} from '../domain/contact-columns.js';
import { type ImportType } from './import.entity.js';

/** What a column of a file can be, by what its rows are. */
export const TARGETS: Record<ImportType, readonly ColumnTarget[]> = {
  contacts: COLUMN_TARGETS,
  suppressions: ['phoneNumber', 'ignore'],
  consents: [...CONSENT_FIELDS, 'ignore'],
};

/** A column of a held file, and what it is. */
export interface HeldColumn {
  header: string;
  /** Null: the column of an export that has all custom properties, which is nothing else. */
  target: ColumnTarget | null;
  /** Whether the column is named as phone numbers are. */
  mayBeNumber: boolean;
}

export function heldColumnOf({ header, field, customProperty, part }: ContactColumn): HeldColumn {
  return { header, target: targetOf(), mayBeNumber: mayBeNumber(header) };

  function targetOf(): ColumnTarget | null {
    if (part !== null) return part === 'first' ? 'firstName' : 'lastName';
    if (field === PROPERTIES_COLUMN) return null;
    if (field !== null) return field;
    return customProperty === null ? 'ignore' : 'property';
  }
}
