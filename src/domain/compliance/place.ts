/**
 * How the zones of a place are known. `stated`: by the request, else the contact. `areaCode`, `prefix`: by a geographic
 * number. `country`: every zone of the number's country calling code. `unknown`: not at all, and there are none.
 */
export type PlaceSource = 'stated' | 'areaCode' | 'prefix' | 'country' | 'unknown';

/** Where a called person may be. */
export interface Place {
  /** Zones of the IANA data, sorted. The person is in one of them. */
  zones: readonly string[];
  source: PlaceSource;
  /** ISO 3166-1 of the number; null: of no country. */
  country: string | null;
  /** ISO 3166-2 of the states in one of which the number is, such as `US-FL`; empty if its area code does not tell. */
  regions: readonly string[];
}
