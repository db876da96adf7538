import { Injectable } from '@nestjs/common';
import { DoNotCallReplay } from '../do-not-call/do-not-call-replay.service.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { AppError } from '../http/app-error.js';
import { Journal } from '../journal/journal.service.js';

/** The changes of a replay of the journal. */
export interface Replayed {
  /** Numbers that were not on the Do Not Call list. */
  doNotCall: number;
  /** Contacts that were not erased. */
  erased: number;
  /** When a process last wrote to the journal before the restore was noticed; null for never. */
  lastSignAt: Date | null;
}

/** The final state that the journal's records describe. */
interface Told {
  /** Forms of the numbers on the list, by team. */
  doNotCall: Map<string, Set<string>>;
  erased: { teamId: string; contactId: string }[];
  lastSignAt: Date | null;
}

/**
 * Repeats all records of the journal. A record that the database still has changes nothing. A number that was removed from the list is left
 * as it is in the database.
 */
@Injectable()
export class JournalReplay {
  constructor(
    private readonly journal: Journal,
    private readonly doNotCall: DoNotCallReplay,
    private readonly erasures: ErasureService,
  ) {}

  /** @throws AppError `CONFLICT` if the journal cannot be read, or was written with another key than the database's. */
  async replay(restoredAt: Date): Promise<Replayed> {
    const told = await this.read(restoredAt);
    const replayed: Replayed = { doNotCall: 0, erased: 0, lastSignAt: told.lastSignAt };
    // First, before the numbers of the contacts are erased.
    for (const [teamId, forms] of told.doNotCall) {
      if (forms.size > 0) replayed.doNotCall += await this.doNotCall.replay(teamId, forms);
    }
    for (const { teamId, contactId } of told.erased) {
      if (await this.erasures.replay(teamId, contactId)) replayed.erased += 1;
    }
    return replayed;
  }

  private async read(restoredAt: Date): Promise<Told> {
    const changes: { at: string; teamId: string; numbers: string[]; listed: boolean }[] = [];
    const told: Told = { doNotCall: new Map(), erased: [], lastSignAt: null };
    try {
      for await (const record of this.journal.records()) {
        const at = new Date(record.at);
        if (at < restoredAt && (told.lastSignAt === null || at > told.lastSignAt)) told.lastSignAt = at;
        if (record.kind === 'contact.erased') told.erased.push(record);
        else if (record.kind !== 'alive') {
          changes.push({ ...record, listed: record.kind === 'do_not_call.added' });
        }
      }
    } catch (error) {
      throw new AppError('CONFLICT', (error as Error).message);
    }
    changes.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    for (const { teamId, numbers, listed } of changes) {
      const forms = told.doNotCall.get(teamId) ?? new Set<string>();
      for (const form of numbers) {
        if (listed) forms.add(form);
        else forms.delete(form);
      }
      told.doNotCall.set(teamId, forms);
    }
    return told;
  }
}
