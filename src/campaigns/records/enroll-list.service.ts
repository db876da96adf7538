import { setImmediate as othersTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { auditing } from '../../audit/audited-change.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { limitLockWaits, team } from '../../database/team-scope.js';
import { query, type TransactionStep, Transactions } from '../../database/transactions.js';
import { numbersOfPerson } from '../../domain/person-number.js';
import { type ParsedPhoneNumber, parsePhoneNumber } from '../../domain/phone-number.js';
import { AppError } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { CampaignsService } from '../admin/campaigns.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { enterAgain, entryKey, type LeftOut } from '../enrollment/enter-again.js';
import {
  ENROLL_LISTED,
  ENROLLED_BEFORE,
  type EnrolledBeforeRow,
  type ListedContactRow,
  NAMED_CONTACTS,
  type NamedContactsRow,
} from '../enrollment/enroll-list.sql.js';
import { NOT_ACTIVE } from '../enrollment/enroll-refusals.js';
import { type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

const CONTACTS_A_TRANSACTION = 200;
const NUMBERS_A_TURN = 100;

/** What became of a line of a list. */
export type ListedResult =
  | { kind: 'enrolled'; enrollmentId: string }
  /** The contact is in the campaign, or was and may not enter again. */
  | { kind: 'present'; enrollmentId: string; status: EnrollmentStatus }
  /** The contact of an earlier line; `of` is the index of that line. */
  | { kind: 'repeated'; of: number }
  | { kind: 'refused'; reason: string };

const UNKNOWN = 'No contact of the team has this number, external id or id';
const AMBIGUOUS = 'Several contacts have this as number, external id or id';

/** Enrolls contacts of a team by a list of their numbers, external ids or ids. */
@Injectable()
export class EnrollListService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly campaigns: CampaignsService,
    private readonly teams: TeamsService,
  ) {}

  /**
   * Enrolls on the current version, by the rules of the request for one contact. Lines do not affect each other. A text
   * that several contacts have in different ways is refused. The audit log has the number of new enrollments.
   *
   * @param lines each the number, external id or id of a contact.
   * @param source of the new enrollments.
   * @returns what became of each line. @throws AppError `NOT_FOUND` for the team or the campaign, or `UNPROCESSABLE` if
   *   the campaign is not active.
   */
  async enroll(
    teamId: string,
    campaignId: string,
    lines: readonly string[],
    source: string,
  ): Promise<ListedResult[]> {
    const { id, status } = await this.campaigns.find(teamId, campaignId);
    if (status !== 'active') throw new AppError('UNPROCESSABLE', NOT_ACTIVE);
    const named = await this.contactsNamed(teamId, lines);
    const contacts = [...new Set(named.flatMap((one) => (typeof one === 'string' ? [one] : [])))];
    const results = new Map<string, ListedResult>();
    for (let from = 0; from < contacts.length; from += CONTACTS_A_TRANSACTION) {
      const part = contacts.slice(from, from + CONTACTS_A_TRANSACTION);
      for (const [contact, result] of await this.enrollContacts(teamId, id, part, source))
        results.set(contact, result);
    }
    return named.map((one, index) => {
      if (typeof one !== 'string') return one;
      const first = named.indexOf(one);
      if (first !== index) return { kind: 'repeated', of: first };
      return results.get(one) ?? { kind: 'refused', reason: UNKNOWN };
    });
  }

  /** The contact of each line, or why there is none. */
  private async contactsNamed(
    teamId: string,
    lines: readonly string[],
  ): Promise<(string | Extract<ListedResult, { kind: 'refused' }>)[]> {
    const { defaultCountry, acceptUnknownRanges } = await this.teams.find(teamId);
    const parsed: ParsedPhoneNumber[] = [];
    for (const [index, line] of lines.entries()) {
      // Parsing a thousand numbers takes a part of a second. Other requests are processed in between.
      if (index % NUMBERS_A_TURN === 0) await othersTurn();
      parsed.push(parsePhoneNumber(line, defaultCountry, 'number', acceptUnknownRanges));
    }
    const numbers = parsed.map((one) => (one.ok ? numbersOfPerson(one.e164) : []));
    const rows = await this.transactions
      .within(team(teamId))
      .read<NamedContactsRow & Record<string, unknown>>(
        query(
          NAMED_CONTACTS,
          teamId,
          lines,
          lines.map((line) => (isUuid(line) ? line : null)),
          numbers.map(([number]) => number ?? null),
          numbers.map(([, other]) => other ?? null),
        ),
      );
    const found = new Map(rows.map(({ n, contacts }) => [n, contacts]));
    return lines.map((_, index) => {
      const [contact, ...others] = found.get(index) ?? [];
      if (others.length > 0) return { kind: 'refused', reason: AMBIGUOUS };
      const number = parsed[index];
      if (contact === undefined) {
        const isUnclear = number !== undefined && !number.ok && number.ambiguous === true;
        return { kind: 'refused', reason: isUnclear ? capital(number.message) : UNKNOWN };
      }
      return contact;
    });
  }

  /** One transaction. */
  private enrollContacts(
    teamId: string,
    campaignId: string,
    contacts: readonly string[],
    source: string,
  ): Promise<Map<string, ListedResult>> {
    const enrolling = query(ENROLL_LISTED, teamId, campaignId, contacts, source);
    return this.semaphore.runWithLocks(teamId, () =>
      this.transactions
        .within(team(teamId))
        .run<Map<string, ListedResult>>([limitLockWaits(), enrolling], ([, enrolled]) =>
          this.afterFirstEntries(teamId, campaignId, (enrolled?.rows ?? []) as ListedContactRow[]),
        ),
    );
  }

  private afterFirstEntries(
    teamId: string,
    campaignId: string,
    rows: readonly ListedContactRow[],
  ): TransactionStep<Map<string, ListedResult>> {
    const results = new Map<string, ListedResult>();
    for (const { contact_id: contact, enrollment_id: enrollmentId, is_active: isActive } of rows) {
      if (enrollmentId !== null) results.set(contact, { kind: 'enrolled', enrollmentId });
      else if (!isActive) results.set(contact, { kind: 'refused', reason: NOT_ACTIVE });
    }
    const leftOut = rows
      .filter(({ contact_id: contact }) => !results.has(contact))
      .map(({ contact_id: contactId }): LeftOut => ({ contactId, campaignId }));
    return enterAgain({ teamId, campaignId: null, versionId: null }, leftOut, (entered) => {
      for (const one of leftOut) {
        const enrollmentId = entered.get(entryKey(one));
        if (enrollmentId !== undefined) results.set(one.contactId, { kind: 'enrolled', enrollmentId });
      }
      const before = rows.map((row) => row.contact_id).filter((contact) => !results.has(contact));
      const enrolled = [...results.values()].filter(({ kind }) => kind === 'enrolled').length;
      const target = { type: 'campaign', id: campaignId };
      const audit = auditing({ teamId, action: 'campaign.contacts_enrolled', target, after: { enrolled } });
      return {
        commit: [query(ENROLLED_BEFORE, teamId, campaignId, before), ...(enrolled > 0 ? [audit] : [])],
        value: ([found]) => {
          for (const { contact_id: contact, id, status } of (found?.rows ?? []) as EnrolledBeforeRow[])
            results.set(contact, { kind: 'present', enrollmentId: id, status });
          return results;
        },
      };
    });
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
