/** The records of the journal. They contain numbers only as erased numbers. */
export type JournalRecord =
  | { kind: 'do_not_call.added' | 'do_not_call.removed'; teamId: string; numbers: string[] }
  | { kind: 'contact.erased'; teamId: string; contactId: string }
  /** The heartbeat of a process. */
  | { kind: 'alive' };

/** A record with its instant, ISO 8601 in UTC by the clock of the process. */
export type StampedRecord = JournalRecord & { at: string };

/** The line of a record, with its line break. */
export function lineOf(record: JournalRecord, at: Date): string {
  return `${JSON.stringify({ at: at.toISOString(), ...record })}\n`;
}

/** @throws Error for a line that this version cannot read. */
export function recordOf(line: string): StampedRecord {
  const record = JSON.parse(line) as Partial<StampedRecord> | null;
  if (typeof record?.at !== 'string' || Number.isNaN(Date.parse(record.at))) throw new Error('no instant');
  switch (record.kind) {
    case 'do_not_call.added':
    case 'do_not_call.removed':
      if (isText(record.teamId) && Array.isArray(record.numbers) && record.numbers.every(isText)) break;
      throw new Error('no numbers of a team');
    case 'contact.erased':
      if (isText(record.teamId) && isText(record.contactId)) break;
      throw new Error('no contact of a team');
    case 'alive':
      break;
    case undefined:
    default:
      throw new Error('an unknown kind');
  }
  return record as StampedRecord;
}

const isText = (value: unknown): value is string => typeof value === 'string';
