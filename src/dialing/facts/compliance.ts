import { type ComplianceCase, complianceCaseOf } from '../../domain/compliance/compliance-case.js';
import { type ComplianceFacts, type ConsentFact } from '../../domain/compliance/facts.js';
import { type PackIndex } from '../../domain/compliance/pack-index.js';
import { CONSENT_LEVELS } from '../../domain/compliance/pack.js';
import { type Place } from '../../domain/compliance/place.js';
import { placeOf, statedPlace } from '../../domain/compliance/place-of.js';
import { complianceSettingOf } from '../../domain/compliance/setting.js';
import { isTimeZone } from '../../domain/zones/time-zone.js';
import { type ErasedCalls } from './facts.js';
import { type ComplianceFactsRow } from './facts.sql.js';

/** The person of a call. */
export interface Called {
  /** E.164. */
  phoneNumber: string;
  /** The zone of the request, else of the contact; null: none is stated. */
  zone: string | null;
}

/**
 * What packs judge of a call; null for a team whose compliance is `off`.
 *
 * @param erased the calls to the number under its erased form.
 */
export function complianceOf(
  row: ComplianceFactsRow | null,
  packs: PackIndex,
  called: Called,
  erased: ErasedCalls,
): ComplianceCase | null {
  return row === null ? null : complianceCaseOf(factsOf(row, called, erased), packs);
}

function factsOf(row: ComplianceFactsRow, called: Called, erased: ErasedCalls): ComplianceFacts {
  const { purpose, registers } = row;
  const conversations = [row.lastConversationAt, erased.lastConversationAt?.getTime() ?? null];
  const known = conversations.filter((at) => at !== null);
  return {
    setting: complianceSettingOf(row.setting),
    purpose,
    place: placeOfCalled(called, row.homeCountry),
    region: regionOf(row.region),
    consents: [...row.consents, ...statedConsents(row.consent)],
    registers,
    processedAt: [...row.processedAt, ...erased.processedAt],
    lastConversationAt: known.length === 0 ? null : Math.max(...known),
  };
}

/** A zone that is not one of IANA's tells nothing. */
function placeOfCalled({ phoneNumber, zone }: Called, homeCountry: string | null): Place {
  return zone !== null && isTimeZone(zone)
    ? statedPlace(zone, phoneNumber, homeCountry)
    : placeOf(phoneNumber, homeCountry);
}

/** ISO 3166-2. */
const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

/** @param value of the contact's custom property. @returns null: it is no region, which counts as none. */
function regionOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const region = value.trim().toUpperCase();
  return REGION.test(region) ? region : null;
}

/** The consent that the contact's custom property states. It has no date, no purpose and no voice. */
function statedConsents(value: unknown): ConsentFact[] {
  const level = CONSENT_LEVELS.find((one) => one === value);
  if (level === undefined) return [];
  return [{ id: null, level, purpose: null, voice: null, grantedAt: null, expiresAt: null }];
}
