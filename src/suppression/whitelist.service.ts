import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { pageByKey } from '../lists/keyset.js';
import { notFound } from '../http/app-error.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isE164 } from '../domain/sought-number.js';
import { numberInAddress, readTeamNumbers } from '../phone-numbers/team-number.js';
import { TeamsService } from '../teams/teams.service.js';
import { type Added, type AddToWhitelist, type WhitelistResource } from './number-lists.dto.js';
import { WhitelistEntry } from './whitelist-entry.entity.js';

const KEY = { property: 'phoneNumber', of: (row: WhitelistEntry) => row.phoneNumber, isKey: isE164 } as const;

/** The only numbers that a whitelist-only team dials. */
@Injectable()
export class WhitelistService {
  private readonly entries: Repository<WhitelistEntry>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
  ) {
    this.entries = dataSource.getRepository(WhitelistEntry);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<WhitelistResource>> {
    await this.teams.find(teamId);
    return pageByKey(this.entries.createQueryBuilder('w').where({ teamId }), request, KEY, resource);
  }

  /** @throws AppError `NOT_FOUND` for the team or the number. */
  async get(teamId: string, phoneNumber: string): Promise<WhitelistResource> {
    const number = numberInAddress(await this.teams.find(teamId), phoneNumber);
    const entry = number === null ? null : await this.entries.findOneBy({ teamId, phoneNumber: number });
    if (entry === null) throw notFound('Phone number');
    return resource(entry);
  }

  /**
   * Adds the numbers, and rejects items that are no numbers.
   *
   * @throws AppError `NOT_FOUND` for the team, or `INVALID_REQUEST` where no item is a number.
   */
  async add(teamId: string, { phoneNumbers }: AddToWhitelist): Promise<Added> {
    const team = await this.teams.find(teamId);
    const { numbers, rejected } = await readTeamNumbers(team, phoneNumbers, 'phoneNumbers');
    const inserted = await this.dataSource.transaction((manager) =>
      manager.query<unknown[]>(
        `INSERT INTO whitelist (team_id, phone_number)
         SELECT $1, number FROM unnest($2::text[]) AS number
         ON CONFLICT (team_id, phone_number) DO NOTHING
         RETURNING 1`,
        [teamId, numbers],
      ),
    );
    return { added: inserted.length, rejected };
  }

  /** @throws AppError `NOT_FOUND` for the team or the number. */
  async remove(teamId: string, phoneNumber: string): Promise<void> {
    const number = numberInAddress(await this.teams.find(teamId), phoneNumber);
    const { affected } =
      number === null
        ? {}
        : await this.dataSource.transaction((manager) =>
            manager.delete(WhitelistEntry, { teamId, phoneNumber: number }),
          );
    if (!affected) throw notFound('Phone number');
  }
}

function resource({ phoneNumber, createdAt }: WhitelistEntry): WhitelistResource {
  return { phoneNumber, createdAt: createdAt.toISOString() };
}
