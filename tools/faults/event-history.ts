/** An event as it was read. */
export interface EventRecord {
  id: string;
  teamId: string;
  type: string;
  sequence: number;
  /** Of an event of a call. */
  callRequestId: string | null;
  status: string | null;
}

/** What the feeds of all teams said. */
export interface EventHistory {
  read: readonly EventRecord[];
  /** Every event with a number, once the feeds were read to their ends; null before. */
  stored: readonly Pick<EventRecord, 'teamId' | 'sequence'>[] | null;
}
