import { createHash } from 'node:crypto';
import { type NewConsent } from '../../consents/consent-rows.service.js';
import { type UploadedRow } from '../work/row-reader.js';
import { type ImportColumnView } from '../import-view.js';
import { type ImportLook } from './first-look.js';
import { NumberSet } from './number-set.js';
import { RefusedRows } from './refused-rows.js';

/** A row of a file of consents, and what it was read as. */
export type CheckedConsent = { row: UploadedRow } & (
  { consent: NewConsent; error: null } | { consent: null; error: string }
);

/** Counts the rows of a file of consents as an import would. */
export class ConsentLook {
  /** The hashes of the consents so far. Of a million consents, one in 500 files has two with the same hash. */
  private readonly seen = new NumberSet();
  private readonly refused = new RefusedRows();
  private readonly counts = { rows: 0, new: 0, known: 0, repeated: 0 };

  /** @param known the consents that are recorded already. */
  add(checked: readonly CheckedConsent[], known: ReadonlySet<NewConsent>): void {
    for (const { row, consent, error } of checked) {
      this.counts.rows += 1;
      if (consent === null) this.refused.add(this.counts.rows, row, error);
      else if (!this.seen.addValue(hashOf(consent))) this.counts.repeated += 1;
      else this.counts[known.has(consent) ? 'known' : 'new'] += 1;
    }
  }

  view(columns: ImportColumnView[] | null): ImportLook {
    return {
      columns,
      ...this.counts,
      ...this.refused.view(),
      warned: 0,
      withoutTimezone: 0,
      countries: {},
      firstRows: [],
    };
  }
}

/** A number of 48 bits above 0. */
function hashOf(consent: NewConsent): number {
  return createHash('sha256').update(JSON.stringify(consent)).digest().readUIntBE(0, 6) + 1;
}
