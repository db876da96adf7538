import { parseReentry } from '../../domain/campaigns/definition/parse-settings.js';
import { mayEnterAgain } from '../../domain/campaigns/reentry.js';
import { query, type TransactionStep } from '../../database/transactions.js';
import { ENTER_AGAIN, type EnteredRow, LAST_ENTRIES, type LastEntryRow } from './reentry.sql.js';

/**
 * A contact that a campaign with `reentry` has not enrolled, because the contact was enrolled in it before.
 */
export interface LeftOut {
  contactId: string;
  campaignId: string;
}

/**
 * The contacts' team, and a campaign with the version on which it enrolls. All other campaigns enroll on
 * their current version.
 */
export interface EntryOrigin {
  teamId: string;
  campaignId: string | null;
  versionId: string | null;
}

/** The ids of new enrollments; see {@link entryKey}. */
export type Entered = ReadonlyMap<string, string>;

/** The key of a contact and its campaign in {@link Entered}. */
export const entryKey = ({ contactId, campaignId }: LeftOut): string => `${contactId} ${campaignId}`;

/**
 * Enrolls contacts of a team again, if their campaigns allow it. The transaction has locked the contacts.
 *
 * @param then returns the next step of the transaction.
 */
export function enterAgain<T>(
  origin: EntryOrigin,
  leftOut: readonly LeftOut[],
  then: (entered: Entered) => TransactionStep<T>,
): TransactionStep<T> {
  const candidates = [...new Map(leftOut.map((one) => [entryKey(one), one])).values()];
  if (candidates.length === 0) return then(new Map());
  return {
    next: [query(LAST_ENTRIES, ...parametersOf(origin, candidates))],
    decide: ([found]) => {
      const entries = ((found?.rows ?? []) as LastEntryRow[]).filter(mayFollow);
      if (entries.length === 0) return then(new Map());
      const chosen = entries.flatMap(({ n }) => candidates[n] ?? []);
      const numbers = entries.map(({ entry }) => entry + 1);
      return {
        next: [query(ENTER_AGAIN, ...parametersOf(origin, chosen), numbers)],
        decide: ([made]) => then(idsOf((made?.rows ?? []) as EnteredRow[])),
      };
    },
  };
}

function mayFollow({ reentry, entry, ended_at: endedAt, zone, now }: LastEntryRow): boolean {
  const setting = parseReentry(reentry);
  return setting.ok && mayEnterAgain(setting.value, { entry, endedAt }, zone, now);
}

function parametersOf({ teamId, campaignId, versionId }: EntryOrigin, contacts: readonly LeftOut[]) {
  const ids = contacts.map(({ contactId }) => contactId);
  const campaigns = contacts.map((one) => one.campaignId);
  return [teamId, ids, campaigns, campaignId, versionId] as const;
}

function idsOf(rows: readonly EnteredRow[]): Entered {
  return new Map(
    rows.map(({ id, contact_id: contactId, campaign_id: campaignId }) => [
      entryKey({ contactId, campaignId }),
      id,
    ]),
  );
}
