import { type ImportView, type ImportWithColumns } from '../../imports/import-view.js';
import { type Mood } from '../frame/controls.js';

type Status = ImportView['status'];

export const STATUS_WORDS: Record<Status, { label: string; mood: Mood; meaning: string }> = {
  staging: { label: 'Uploading', mood: '', meaning: 'The file is being uploaded.' },
  held: {
    label: 'Not started',
    mood: 'warn',
    meaning:
      'The file is uploaded. No row is imported before the import is started; without a start, the file is removed after an hour.',
  },
  running: { label: 'Running', mood: '', meaning: 'The rows are being imported.' },
  finished: { label: 'Finished', mood: 'good', meaning: 'Every row has a result.' },
  canceled: {
    label: 'Canceled',
    mood: 'warn',
    meaning: 'The import was canceled. What was imported by then stays.',
  },
  failed: { label: 'Failed', mood: 'bad', meaning: 'The import has failed.' },
  undoing: { label: 'Being undone', mood: '', meaning: 'The import is being undone.' },
  undone: { label: 'Undone', mood: 'warn', meaning: 'The import is undone.' },
};

export const TYPE_WORDS: Record<ImportView['type'], string> = {
  contacts: 'Contacts',
  suppressions: 'Do Not Call',
  consents: 'Consents',
};

/** What the counts of an import are called, which differs by what its rows are. */
export const COUNT_WORDS: Record<ImportView['type'], { created: string; updated: string }> = {
  contacts: { created: 'New contacts', updated: 'Known contacts' },
  suppressions: { created: 'Added to the list', updated: 'On the list already' },
  consents: { created: 'Recorded', updated: 'Recorded before' },
};

type Undo = NonNullable<ImportWithColumns['undo']>;

/** Why an undo has kept a contact that the import created. */
export const KEPT_WORDS: Record<keyof Undo['contactsKept'], string> = {
  called: 'a call to the number',
  opted_out: 'the number is on Do Not Call',
  enrolled: 'enrolled in another campaign, or the enrollment ended otherwise',
  changed: 'changed since then',
  imported: 'also in another import',
};

/** Whether the worker changes the import, so that its page renews itself. */
export const isUnderWay = (status: Status): boolean =>
  status === 'staging' || status === 'running' || status === 'undoing';
