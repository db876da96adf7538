import { type FilterOf, phoneNumberFilter } from '../http/filters.js';

/** The filters of a team's list of consents. */
export const CONSENT_FILTERS = {
  phoneNumber: phoneNumberFilter('Only the consents of this number, in any notation.'),
};
export type ConsentFilter = FilterOf<typeof CONSENT_FILTERS>;
