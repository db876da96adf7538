import { Injectable } from '@nestjs/common';
import { isErasedNumber } from '../domain/erased-number.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { Journal } from '../journal/journal.service.js';

/** Records changes of the Do Not Call list in the journal, so that they survive a restore of the database. */
@Injectable()
export class DoNotCallJournal {
  constructor(
    private readonly journal: Journal,
    private readonly erasedNumbers: ErasedNumbers,
  ) {}

  /**
   * Resolves once the change is on the disk; only then may the request be answered.
   *
   * @throws AppError `SERVICE_UNAVAILABLE`: the client must repeat the request.
   */
  async note(
    kind: 'do_not_call.added' | 'do_not_call.removed',
    teamId: string,
    numbers: string[],
  ): Promise<void> {
    if (!this.journal.on) return;
    const formOf = (number: string) =>
      isErasedNumber(number) ? number : this.erasedNumbers.formOf(teamId, number);
    await this.journal.append({ kind, teamId, numbers: numbers.map(formOf) });
  }
}
