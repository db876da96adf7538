import { Injectable } from '@nestjs/common';
import { query, type Query } from '../database/transactions.js';
import { type Faulty } from '../http/app-error.js';
import { validateBody } from '../http/validation.js';
import { RecordConsent } from './consent.dto.js';
import { futureFault, type NewConsent, readConsent } from './read-consent.js';
import { CONSENT_CLOCK, KNOWN_CONSENTS, RECORD_CONSENTS } from './sql/consents.sql.js';

export type { NewConsent } from './read-consent.js';

/** A row of a file as a consent, or why it is none. */
export type ConsentOfRow = { ok: true; value: NewConsent } | Required<Faulty>;

/** The index of a consent among those that were given to a statement. */
export interface NumberedRow extends Record<string, unknown> {
  n: number;
}

/** Records many consents in transactions of the caller, which holds the locks of their numbers. */
@Injectable()
export class ConsentRows {
  /** The statement of the clock by which {@link futureFault} is decided, with one row: `now`. */
  readonly clock: Query = query(CONSENT_CLOCK);

  /** Reads a row as the body of a request. @param country the team's default country. */
  read(fields: Record<string, unknown>, country: string | null): ConsentOfRow {
    const fault = validateBody(RecordConsent, fields);
    return fault.ok ? readConsent(fault.value, country) : fault;
  }

  /** What is wrong with the instant of a consent; null: nothing. */
  futureFault(consent: NewConsent, now: Date): string | null {
    return futureFault(consent, now);
  }

  /** Records the consents, except those that are recorded already. It returns a {@link NumberedRow} for each new one. */
  recording(teamId: string, consents: readonly NewConsent[]): Query {
    return query(RECORD_CONSENTS, teamId, jsonOf(consents));
  }

  /** Returns a {@link NumberedRow} for each consent that is recorded already. */
  known(teamId: string, consents: readonly NewConsent[]): Query {
    return query(KNOWN_CONSENTS, teamId, jsonOf(consents));
  }
}

function jsonOf(consents: readonly NewConsent[]): string {
  return JSON.stringify(
    consents.map((one, n) => ({
      n,
      phone_number: one.phoneNumber,
      level: one.level,
      purpose: one.purpose,
      voice: one.voice,
      source: one.source,
      evidence: one.evidence,
      granted_at: one.grantedAt,
      expires_at: one.expiresAt,
    })),
  );
}
