import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, type Repository } from 'typeorm';
import { endPendingCalls } from '../calls/shared/end-pending-calls.js';
import { suppressEnrollments } from '../campaigns/engine/suppress-enrollments.js';
import { pageByKey } from '../database/keyset.js';
import { isErasedNumber } from '../domain/erased-number.js';
import { parseOptOutNumber } from '../domain/phone-number.js';
import { notFound } from '../http/app-error.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isE164, numberInAddress, readTeamNumbers } from '../phone-numbers/team-number.js';
import { TeamsService } from '../teams/teams.service.js';
import { DoNotCallEntry } from './do-not-call-entry.entity.js';
import { type Added, type AddToDoNotCall, type DoNotCallResource } from './number-lists.dto.js';

// Postgres keeps each lock in memory of a fixed size (64 a connection by default): long lists would exhaust it.
const NUMBERS_A_TRANSACTION = 200;

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
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` where no item is a number, or `CONFLICT` where erased numbers cannot
   *   be judged.
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
    }
    return { added, rejected };
  }

  /** @throws AppError as {@link get}. */
  async remove(teamId: string, phoneNumber: string): Promise<void> {
    const [, forms] = await this.named(teamId, phoneNumber);
    const { affected } = await this.entries.delete({ teamId, phoneNumber: In(forms) });
    if (!affected) throw notFound('Phone number');
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

/**
 * `numbers` ascend, so that two additions never wait for each other in a circle. A number whose entry was erased is on the list already.
 *
 * @param erased what stands for each of the numbers, or null.
 */
async function addBatch(
  manager: EntityManager,
  teamId: string,
  numbers: string[],
  erased: (string | null)[],
  reason: string | null,
): Promise<number> {
  await manager.query(
    'SELECT pg_advisory_xact_lock(number_lock_key($1, number)) FROM unnest($2::text[]) AS number',
    [teamId, numbers],
  );
  // Shared, because it only has to keep a recount of the plan's usage away while calls are uncounted.
  await manager.query('SELECT pg_advisory_xact_lock_shared(team_lock_key($1))', [teamId]);
  const inserted = await manager.query<unknown[]>(
    `INSERT INTO do_not_call (team_id, phone_number, reason)
     SELECT $1, number, $3 FROM unnest($2::text[], $4::text[]) AS asked (number, erased)
     WHERE NOT EXISTS (SELECT FROM do_not_call d WHERE d.team_id = $1 AND d.phone_number = asked.erased)
     ON CONFLICT (team_id, phone_number) DO NOTHING
     RETURNING 1`,
    [teamId, numbers, reason, erased],
  );
  await endPendingCalls(manager, {
    teamId,
    phoneNumbers: numbers,
    reason: 'DO_NOT_CALL',
    cause: 'do_not_call',
  });
  await suppressEnrollments(manager, teamId, numbers);
  return inserted.length;
}

function resource({ phoneNumber, reason, createdAt }: DoNotCallEntry): DoNotCallResource {
  return { phoneNumber, reason, createdAt: createdAt.toISOString() };
}
