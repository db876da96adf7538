import { Injectable } from '@nestjs/common';
import { DoNotCallReplay } from '../suppression/do-not-call-replay.service.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { AppError } from '../http/app-error.js';
import { Journal } from '../journal/journal.service.js';

/** What a replay of the journal changed. */
export interface Replayed {
  /** The number of phone numbers that it added to Do Not Call lists. */
  doNotCall: number;
  /** The number of contacts that it erased. */
  erased: number;
  /** The instant of the last record written before the restore was noticed; null if there is none. */
  lastSignAt: Date | null;
}

/** The state that the journal's records lead to. */
interface JournalState {
  /** Erased forms of the numbers on the list, by team. */
  doNotCall: Map<string, Set<string>>;
  erased: { teamId: string; contactId: string }[];
  lastSignAt: Date | null;
}

/**
 * Applies all records of the journal. A change that the database already has is not made again. If the last
 * record of a number is its removal from the Do Not Call list, its entry in the database is not changed.
 */
@Injectable()
export class JournalReplay {
  constructor(
    private readonly journal: Journal,
    private readonly doNotCall: DoNotCallReplay,
    private readonly erasures: ErasureService,
  ) {}

  /**
   * @throws AppError `CONFLICT` if the journal cannot be read, or if it was written with another key than
   *   that of the database.
   */
  async replay(restoredAt: Date): Promise<Replayed> {
    const state = await this.read(restoredAt);
    const replayed: Replayed = { doNotCall: 0, erased: 0, lastSignAt: state.lastSignAt };
    // The Do Not Call list comes first, while the numbers of the erased contacts are still known.
    for (const [teamId, forms] of state.doNotCall) {
      if (forms.size > 0) replayed.doNotCall += await this.doNotCall.replay(teamId, forms);
    }
    for (const { teamId, contactId } of state.erased) {
      if (await this.erasures.replay(teamId, contactId)) replayed.erased += 1;
    }
    return replayed;
  }

  private async read(restoredAt: Date): Promise<JournalState> {
    const changes: { at: string; teamId: string; numbers: string[]; listed: boolean }[] = [];
    const state: JournalState = { doNotCall: new Map(), erased: [], lastSignAt: null };
    try {
      for await (const record of this.journal.records()) {
        const at = new Date(record.at);
        if (at < restoredAt && (state.lastSignAt === null || at > state.lastSignAt)) state.lastSignAt = at;
        if (record.kind === 'contact.erased') state.erased.push(record);
        else if (record.kind !== 'alive') {
          changes.push({ ...record, listed: record.kind === 'do_not_call.added' });
        }
      }
    } catch (error) {
      throw new AppError('CONFLICT', (error as Error).message);
    }
    changes.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    for (const { teamId, numbers, listed } of changes) {
      const forms = state.doNotCall.get(teamId) ?? new Set<string>();
      for (const form of numbers) {
        if (listed) forms.add(form);
        else forms.delete(form);
      }
      state.doNotCall.set(teamId, forms);
    }
    return state;
  }
}
