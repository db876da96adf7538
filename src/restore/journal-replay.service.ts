import { Injectable } from '@nestjs/common';
import { ConsentReplay, type ReplayedRevocation } from '../consents/consent-replay.service.js';
import { DoNotCallJournal } from '../suppression/do-not-call-journal.service.js';
import { DoNotCallReplay, type ReplayedAddition } from '../suppression/do-not-call-replay.service.js';
import { PlatformDoNotCall } from '../suppression/platform-do-not-call.service.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { AppError } from '../http/app-error.js';
import { type StampedRecord } from '../journal/journal-record.js';
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

/** Numbers that were added in the same way, in their erased form. */
interface ReplayedEntry extends ReplayedAddition {
  teamId: string;
  form: string;
}

/** The state that the journal's records lead to. */
interface JournalState {
  /** The entries of a number for a team, a campaign or an agent, by what they are for, and then by their limits. */
  doNotCall: Map<string, Map<string, ReplayedEntry>>;
  /** Numbers of the platform's list. */
  platform: Set<string>;
  /** When each number was last added to the whole team's list, also if it was removed later: by team and erased form. */
  optedOut: Map<string, Map<string, Date>>;
  revoked: ReplayedRevocation[];
  erased: { teamId: string; contactId: string }[];
  lastSignAt: Date | null;
}

type Change = Exclude<StampedRecord, { kind: 'contact.erased' | 'consent.revoked' | 'alive' }>;

/**
 * Applies all records of the journal. A change that the database already has is not made again. If the last
 * record of a number is its removal from the Do Not Call list, its entry in the database is not changed.
 */
@Injectable()
export class JournalReplay {
  constructor(
    private readonly journal: Journal,
    private readonly doNotCall: DoNotCallReplay,
    private readonly platform: PlatformDoNotCall,
    private readonly doNotCallJournal: DoNotCallJournal,
    private readonly consents: ConsentReplay,
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
    for (const [{ teamId, ...addition }, forms] of inGroups(state)) {
      replayed.doNotCall += await this.doNotCall.replay(teamId, forms, addition);
    }
    if (state.platform.size > 0) replayed.doNotCall += await this.platform.replay([...state.platform]);
    // The removal of a number from the list does not revive its consents.
    for (const [teamId, forms] of state.optedOut) await this.consents.endConsents(teamId, forms);
    await this.consents.revoke(state.revoked);
    for (const { teamId, contactId } of state.erased) {
      if (await this.erasures.replay(teamId, contactId)) replayed.erased += 1;
    }
    return replayed;
  }

  private async read(restoredAt: Date): Promise<JournalState> {
    const changes: Change[] = [];
    const state: JournalState = {
      doNotCall: new Map(),
      platform: new Set(),
      optedOut: new Map(),
      revoked: [],
      erased: [],
      lastSignAt: null,
    };
    try {
      for await (const record of this.journal.records()) {
        const at = new Date(record.at);
        if (at < restoredAt && (state.lastSignAt === null || at > state.lastSignAt)) state.lastSignAt = at;
        if (record.kind === 'contact.erased') state.erased.push(record);
        else if (record.kind === 'consent.revoked') state.revoked.push(record);
        else if (record.kind !== 'alive') changes.push(record);
      }
      changes.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
      for (const change of changes) this.apply(state, change);
    } catch (error) {
      throw new AppError('CONFLICT', (error as Error).message);
    }
    return state;
  }

  /** @throws SecretNotOpened for a number of the platform's list that another key has sealed. */
  private apply(state: JournalState, change: Change): void {
    if (!('teamId' in change)) {
      for (const number of change.numbers.map((sealed) => this.doNotCallJournal.opened(sealed))) {
        if (change.kind === 'platform_do_not_call.added') state.platform.add(number);
        else state.platform.delete(number);
      }
      return;
    }
    const { teamId } = change;
    const scope = change.kind === 'do_not_call.added' ? change.limits : change.scope;
    const about = [teamId, scope?.scope ?? 'team', scope?.campaignId ?? scope?.agentId ?? ''].join(' ');
    for (const form of change.numbers) {
      const key = `${form} ${about}`;
      if (change.kind === 'do_not_call.removed') {
        state.doNotCall.delete(key);
        continue;
      }
      const entries = state.doNotCall.get(key) ?? new Map<string, ReplayedEntry>();
      const { source = 'request', purpose, limits } = change;
      entries.set(JSON.stringify(limits ?? null), { teamId, form, source, purpose, limits });
      state.doNotCall.set(key, entries);
      if (limits !== undefined) continue;
      const optedOut = state.optedOut.get(teamId) ?? new Map<string, Date>();
      state.optedOut.set(teamId, optedOut.set(form, new Date(change.at)));
    }
  }
}

/** The entries of the state that differ only in their numbers, with these numbers. */
function inGroups({ doNotCall }: JournalState): Iterable<[ReplayedEntry, Set<string>]> {
  const groups = new Map<string, [ReplayedEntry, Set<string>]>();
  for (const entry of [...doNotCall.values()].flatMap((entries) => [...entries.values()])) {
    const { teamId, source, purpose, limits } = entry;
    const key = JSON.stringify([teamId, source, purpose, limits]);
    const group = groups.get(key) ?? [entry, new Set<string>()];
    group[1].add(entry.form);
    groups.set(key, group);
  }
  return groups.values();
}
