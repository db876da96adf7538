import { type OptOutNumbers } from '../../domain/opt-out-numbers.js';
import { type ImportColumnView } from '../import-view.js';
import { type UploadedRow } from '../work/row-reader.js';
import { type ImportLook } from './first-look.js';
import { NumberSet } from './number-set.js';
import { RefusedRows } from './refused-rows.js';

/** A row of a file of Do Not Call numbers, and what it was read as. */
export interface CheckedSuppression {
  row: UploadedRow;
  read: OptOutNumbers;
}

/** Counts the rows of a file of Do Not Call numbers as an import would. */
export class SuppressionLook {
  private readonly seen = new NumberSet();
  private readonly refused = new RefusedRows();
  private readonly counts = { rows: 0, new: 0, known: 0, repeated: 0 };

  /** @param listed the numbers that are on the list. A row of several numbers is new if one of them is. */
  add(checked: readonly CheckedSuppression[], listed: ReadonlySet<string>): void {
    for (const { row, read } of checked) {
      this.counts.rows += 1;
      if (!read.ok) {
        this.refused.add(this.counts.rows, row, read.message);
        continue;
      }
      const first = read.phoneNumbers.filter((number) => this.seen.add(number));
      if (first.some((number) => !listed.has(number))) this.counts.new += 1;
      else this.counts[first.length > 0 ? 'known' : 'repeated'] += 1;
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
