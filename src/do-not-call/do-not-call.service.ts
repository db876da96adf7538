import { Injectable } from '@nestjs/common';
import { DataSource, In, type Repository } from 'typeorm';
import { pageByKey } from '../database/keyset.js';
import { isErasedNumber } from '../domain/erased-number.js';
import { parseOptOutNumber } from '../domain/phone-number.js';
import { notFound } from '../http/app-error.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isE164, numberInAddress, readTeamNumbers } from '../phone-numbers/team-number.js';
import { TeamsService } from '../teams/teams.service.js';
import { addBatch, NUMBERS_A_TRANSACTION } from './add-batch.js';
import { DoNotCallJournal } from './do-not-call-journal.service.js';
import { DoNotCallEntry } from './do-not-call-entry.entity.js';
import { type Added, type AddToDoNotCall, type DoNotCallResource } from './number-lists.dto.js';

const KEY = {
  property: 'phoneNumber',
  of: (row: DoNotCallEntry) => row.phoneNumber,
  isKey: (value: unknown): value is string =>
    isE164(value) || (typeof value === 'string' && isErasedNumber(value)),
} as const;

/** The numbers that a team never dials. */
@Injectable()
export class DoNotCallService {
  private readonly entries: Repository<DoNotCallEntry>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly journal: DoNotCallJournal,
  ) {
    this.entries = dataSource.getRepository(DoNotCallEntry);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<DoNotCallResource>> {
    await this.teams.find(teamId);
    return pageByKey(this.entries.createQueryBuilder('d').where({ teamId }), request, KEY, resource);
  }

  /**
   * An entry, also one whose number was erased since.
   *
   * @throws AppError `NOT_FOUND` for the team or the number, `CONFLICT` where erased numbers cannot be judged.
   */
  async get(teamId: string, phoneNumber: string): Promise<DoNotCallResource> {
    const [number, forms] = await this.named(teamId, phoneNumber);
    const entry = await this.entries.findOneBy({ teamId, phoneNumber: In(forms) });
    if (entry === null) throw notFound('Phone number');
    return { ...resource(entry), phoneNumber: number };
  }

  /**
   * Adds the numbers, and ends their pending calls as `blocked` and their live enrollments as `exited` in the same transaction: once this has answered, none
   * of them is dialed. A number that is on the list already keeps its reason. Items that are no numbers are rejected, and
   * the others are added. Very long lists are added in several transactions; after a failure the request can be repeated.
   *
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` where no item is a number, `CONFLICT` where erased numbers cannot
   *   be judged, or `SERVICE_UNAVAILABLE` where the journal cannot be written to.
   */
  async add(teamId: string, { phoneNumbers, reason }: AddToDoNotCall): Promise<Added> {
    const team = await this.teams.find(teamId);
    const read = await readTeamNumbers(team, phoneNumbers, 'phoneNumbers', parseOptOutNumber);
    const { numbers, rejected } = read;
    let added = 0;
    for (let start = 0; start < numbers.length; start += NUMBERS_A_TRANSACTION) {
      const batch = numbers.slice(start, start + NUMBERS_A_TRANSACTION);
      added += await this.dataSource.transaction((manager) =>
        addBatch(manager, teamId, batch, this.listed(team, batch), reason ?? null),
      );
      // Before the next batch, which may fail. Those that were on the list already as well: an earlier request may not have
      // reached the journal.
      await this.journal.note('do_not_call.added', teamId, batch);
    }
    return { added, rejected };
  }

  /** @throws AppError as {@link get}. */
  async remove(teamId: string, phoneNumber: string): Promise<void> {
    const [number, forms] = await this.named(teamId, phoneNumber);
    const { affected } = await this.entries.delete({ teamId, phoneNumber: In(forms) });
    if (!affected) throw notFound('Phone number');
    await this.journal.note('do_not_call.removed', teamId, [number]);
  }

  /** The number that an address names, which may be one from the list, and all forms in which it may be stored. */
  private async named(teamId: string, text: string): Promise<[number: string, forms: string[]]> {
    const team = await this.teams.find(teamId);
    if (isErasedNumber(text)) return [text, [text]];
    const number = numberInAddress(team, text);
    if (number === null) throw notFound('Phone number');
    return [number, this.erasedNumbers.formsOf(team, number)];
  }

  /** Under which form each number may be on the list already, beside its own. */
  private listed(team: Parameters<ErasedNumbers['formsOf']>[0], numbers: string[]): (string | null)[] {
    return numbers.map((number) => this.erasedNumbers.formsOf(team, number)[1] ?? null);
  }
}

function resource({ phoneNumber, reason, createdAt }: DoNotCallEntry): DoNotCallResource {
  return { phoneNumber, reason, createdAt: createdAt.toISOString() };
}
