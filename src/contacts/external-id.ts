import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { EXTERNAL_ID } from '../domain/contact-fields.js';
import { AppError, type Faulty, faulty, problemOf, problemsOf } from '../http/app-error.js';
import { printableFault } from '../http/validators.js';
import { type BodyParser } from '../teams/keyed-request.js';
import { type ContactRequest, CONTRACT_KEYS, parseContactRequest } from './contact-request.js';
import { type Holders } from './sql/external-id.sql.js';

const { name: NAME, header: HEADER, kind } = EXTERNAL_ID;

/** The external id of a request; null: none was sent. */
export type ParsedExternalId = { ok: true; value: string | null } | Required<Faulty>;

/** Passes the {@link ParsedExternalId} of the header `External-Id` to a controller's method. */
export const ExternalIdHeader = createParamDecorator(
  (_: unknown, context: ExecutionContext): ParsedExternalId => {
    const request = context.switchToHttp().getRequest<Request>();
    const [text, ...more] = request.headersDistinct[HEADER.toLowerCase()] ?? [];
    if (more.length > 0) return refused(HEADER, 'must be sent once');
    return text === undefined ? { ok: true, value: null } : readExternalId(text, HEADER);
  },
);

/** @param source the header or the parameter of the path that has the id, which a refusal names. */
export function readExternalId(text: string, source: string = NAME) {
  const id = text.trim();
  const fault = printableFault(id, kind.max);
  return fault === null ? { ok: true as const, value: id } : refused(source, fault);
}

function refused(source: string, fault: string): Required<Faulty> {
  return faulty([problemOf(`${source} ${fault}`, source)]);
}

/** Reads the body of contract 4.2 and 4.4 together with the header `External-Id`. */
export function contactParser(externalId: ParsedExternalId): BodyParser<ContactRequest> {
  return (body, defaultCountry, acceptUnknownRanges) => {
    const parsed = parseContactRequest(body, defaultCountry, acceptUnknownRanges, CONTRACT_KEYS);
    if (!parsed.ok || !externalId.ok) return faulty(problemsOf(parsed, externalId));
    return { ok: true, value: { ...parsed.value, [NAME]: externalId.value } };
  };
}

/** A phone number and an external id that cannot be of one contact, and the contacts that have them. */
export interface ExternalIdConflict {
  message: string;
  /** The contact that has the phone number. Absent: no contact has it. */
  contactId?: string;
  /** The contact that has the external id. Absent: no contact has it. */
  externalIdContactId?: string;
}

/**
 * The conflict of a request that stores a contact.
 *
 * @param holders the contacts that have its number and its external id. @param source what has the external id.
 * @returns null: there is none.
 */
export function conflictOf(
  { of_number: ofNumber, other_id: hasOther, of_external_id: ofId }: Holders,
  source: string = NAME,
): ExternalIdConflict | null {
  if (ofId !== null && ofId !== ofNumber) {
    const taken = `${source} belongs to contact ${ofId}`;
    if (ofNumber === null)
      return { message: `${taken}, which has another phone number`, externalIdContactId: ofId };
    const message = `${taken}, and the phone number belongs to contact ${ofNumber}`;
    return { message, contactId: ofNumber, externalIdContactId: ofId };
  }
  if (ofNumber === null || !hasOther) return null;
  const message = `The phone number belongs to contact ${ofNumber}, which has another external id than ${source}`;
  return { message, contactId: ofNumber };
}

export function conflict({ message, ...contacts }: ExternalIdConflict): AppError {
  return new AppError('CONFLICT', message, { ...contacts });
}
