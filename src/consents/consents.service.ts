import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { permitted } from '../database/permitted.js';
import { limitLockWaits, team as scopeOf } from '../database/team-scope.js';
import { query, type TeamTransactions, Transactions } from '../database/transactions.js';
import { LOCK_NUMBERS } from '../dialing/facts/locks.sql.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { hasErasedForm } from '../domain/erased-number.js';
import { invalid, notFound } from '../http/app-error.js';
import { instantOf } from '../http/call-result-fields.js';
import { FilterReader } from '../http/filters.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { checkKey, type IdempotencyKey, openKey, storeAnswer } from '../idempotency/idempotency.js';
import { inFlight, type OnceAnswer, reused } from '../idempotency/run-once.js';
import { Journal } from '../journal/journal.service.js';
import { pageOfPositioned, positionOf } from '../lists/newest-first.js';
import { parseNumberInQuery } from '../domain/sought-number.js';
import { type TeamOfNumbers } from '../teams/own-team.service.js';
import { type ConsentResource, type RecordConsent, type RevokeConsent } from './consent.dto.js';
import { CONSENT_FILTERS, type ConsentFilter } from './consent-filters.js';
import { consentResourceOf } from './consent-view.js';
import { IN_FUTURE, type NewConsent, readConsent } from './read-consent.js';
import {
  type ConsentRow,
  FIND_CONSENT,
  LIST_CONSENTS,
  LIST_CONSENTS_OF_NUMBER,
  type ListedConsentRow,
  LOCK_NUMBER_OF_CONSENT,
  RECORD_CONSENT,
  REVOKE_CONSENT,
} from './sql/consents.sql.js';

/** A request that sent an `Idempotency-Key`. */
interface KeyedOnce {
  /** SHA-256 of the API key. */
  keyHash: Buffer;
  key: IdempotencyKey;
}

/** The consents of a team: what was given, and its ends. Nothing is ever changed or removed. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly journal: Journal,
  ) {}

  /**
   * The latest recorded first.
   *
   * @throws AppError `INVALID_REQUEST` naming every malformed filter, `CONFLICT` where erased numbers cannot be
   *   recognized.
   */
  async list(team: TeamOfNumbers, request: PageRequest<ConsentFilter>): Promise<Page<ConsentResource>> {
    const read = new FilterReader(CONSENT_FILTERS, request);
    const sought = read.values.phoneNumber;
    const number = sought === null ? null : parseNumberInQuery(team.defaultCountry, sought);
    if (number?.ok === false) read.refuse(number.message);
    read.done();
    const { at, key } = positionOf(request);
    const page = [team.id, at, key, request.limit + 1] as const;
    const listing = number?.ok
      ? query(LIST_CONSENTS_OF_NUMBER, ...page, this.formsOf(team, number.e164))
      : query(LIST_CONSENTS, ...page);
    const rows = await permitted(this.semaphore, team.id, this.own(team)).read<ListedConsentRow>(listing);
    return pageOfPositioned(request, rows, consentResourceOf);
  }

  /**
   * Records a consent. One that was given before the latest opt-out of its number is recorded as well, and is not in
   * force.
   *
   * @throws AppError `INVALID_REQUEST` naming every bad field.
   */
  async record(team: TeamOfNumbers, fields: RecordConsent): Promise<ConsentResource> {
    const { body } = await this.recordOnce(team, fields, null);
    return body as unknown as ConsentResource;
  }

  /**
   * {@link record} for a request that may have an `Idempotency-Key`.
   *
   * @throws AppError as {@link record}; `UNPROCESSABLE` for a key that came with another request, `CONFLICT` while the
   *   first request with the key is in flight.
   */
  async recordOnce(team: TeamOfNumbers, fields: RecordConsent, once: KeyedOnce | null): Promise<OnceAnswer> {
    const read = readConsent(fields, team.defaultCountry);
    if (!read.ok) throw invalid(...read.problems);
    const { value: consent } = read;
    return this.semaphore.runWithLocks(team.id, () =>
      this.own(team).transact<OnceAnswer>(async (transaction) => {
        const locks = [limitLockWaits(), query(LOCK_NUMBERS, team.id, [consent.phoneNumber])];
        const keys = once === null ? [] : openKey(once.keyHash, once.key);
        const [, , locked, found] = await transaction.send([...locks, ...keys]);
        if (once !== null) {
          const use = checkKey(once.key, locked, found);
          if (use.kind === 'replay') return { ...use.answer, replayed: true };
          if (use.kind === 'reused') throw reused();
          if (use.kind === 'in_flight') throw inFlight();
        }
        // A statement of its own, which sees the opt-outs that were committed while the lock was waited for.
        const [added] = await transaction.send([recording(team.id, consent)]);
        const row = added?.rows[0] as ConsentRow | undefined;
        if (row === undefined) throw invalid(IN_FUTURE);
        const answer = { status: 201, body: { ...consentResourceOf(row) } };
        await transaction.commit(once === null ? [] : [storeAnswer(team.id, once.key, answer)]);
        return { ...answer, replayed: false };
      }),
    );
  }

  /**
   * Revokes a consent. One that is revoked from the same instant or an earlier one stays as it is. After a failure the
   * request can be repeated.
   *
   * @throws AppError `NOT_FOUND`, `INVALID_REQUEST` for an instant before the consent or in the future,
   *   `SERVICE_UNAVAILABLE` where the journal cannot be written to.
   */
  async revoke(team: TeamOfNumbers, id: string, { reason, at }: RevokeConsent): Promise<ConsentResource> {
    if (!isUuid(id)) throw notFound('Consent');
    const instant = instantOf(at) ?? null;
    const row = await this.semaphore.runWithLocks(team.id, () =>
      this.own(team).transact(async (transaction) => {
        await transaction.send([limitLockWaits(), query(LOCK_NUMBER_OF_CONSENT, team.id, id)]);
        const revoking = query(REVOKE_CONSENT, team.id, id, instant, reason || null);
        const [, found] = await transaction.send([revoking, query(FIND_CONSENT, team.id, id)]);
        const consent = found?.rows[0] as ConsentRow | undefined;
        if (consent === undefined) throw notFound('Consent');
        if (instant !== null && instant > consent.now) throw invalid('at must not be in the future');
        if (instant !== null && instant < consent.granted_at)
          throw invalid('at must not be earlier than grantedAt of the consent');
        await transaction.commit([]);
        return consent;
      }),
    );
    // A repeated revocation is recorded again, because the earlier request may not have reached the journal.
    const endedAt = (instant ?? row.now).toISOString();
    await this.journal.append({ kind: 'consent.revoked', teamId: team.id, consentId: row.id, endedAt });
    return consentResourceOf(row);
  }

  private formsOf(team: TeamOfNumbers, number: string): string[] {
    return hasErasedForm(number) ? [number] : this.erasedNumbers.formsOf(team, number);
  }

  private own(team: TeamOfNumbers): TeamTransactions {
    return this.transactions.within(scopeOf(team.id));
  }
}

function recording(teamId: string, consent: NewConsent) {
  return query(
    RECORD_CONSENT,
    teamId,
    consent.phoneNumber,
    consent.level,
    consent.purpose,
    consent.voice,
    consent.source,
    consent.evidence,
    consent.grantedAt,
    consent.expiresAt,
  );
}
