import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, type Repository } from 'typeorm';
import { pageByCreation } from '../lists/keyset.js';
import { changeRow, findRow } from '../lists/rows.js';
import { parsePhoneNumber } from '../domain/phone-number.js';
import { invalid, problemsOf } from '../http/app-error.js';
import { type Page, type PageRequest } from '../http/page.js';
import { type Team } from '../teams/team.entity.js';
import { TeamsService } from '../teams/teams.service.js';
import { type CreateNumberPool, type NumberPoolResource, type UpdateNumberPool } from './number-pool.dto.js';
import { NumberPool } from './number-pool.entity.js';
import { NumberPoolMember } from './number-pool-member.entity.js';
import { PhoneNumber } from './phone-number.entity.js';

/** The size of a pool's phone numbers as JSON, in bytes: at most 20 for each. */
const BYTES =
  '(SELECT 20 * count(*) FROM number_pool_members m WHERE m.team_id = p.team_id AND m.number_pool_id = p.id)';

/** The number pools of teams. */
@Injectable()
export class NumberPoolsService {
  private readonly pools: Repository<NumberPool>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
  ) {
    this.pools = dataSource.getRepository(NumberPool);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<NumberPoolResource>> {
    await this.teams.find(teamId);
    const query = this.pools.createQueryBuilder('p').where({ teamId });
    const page = await pageByCreation(query, request, (pool) => pool, BYTES);
    return { ...page, items: await this.resources(page.items) };
  }

  /** @throws AppError `NOT_FOUND` for the team or the pool. */
  async get(teamId: string, id: string): Promise<NumberPoolResource> {
    await this.teams.find(teamId);
    return this.resource(await findRow(this.pools, { id, teamId }, 'Number pool'));
  }

  /**
   * @throws AppError `NOT_FOUND` for the team, or `INVALID_REQUEST` naming the items that are malformed or
   *   not phone numbers of the team.
   */
  async create(teamId: string, { name, phoneNumbers }: CreateNumberPool): Promise<NumberPoolResource> {
    const team = await this.teams.find(teamId);
    const pool = await this.dataSource.transaction(async (manager) => {
      const created = await manager.save(manager.create(NumberPool, { teamId, name }));
      await addMembers(manager, team, created.id, phoneNumbers);
      return created;
    });
    return this.get(teamId, pool.id);
  }

  /**
   * Changes the fields that were sent; `phoneNumbers` replaces all phone numbers of the pool.
   *
   * @throws AppError as {@link create}, and `NOT_FOUND` for the pool.
   */
  async update(teamId: string, id: string, fields: UpdateNumberPool): Promise<NumberPoolResource> {
    const team = await this.teams.find(teamId);
    const { name, phoneNumbers } = fields;
    const pool = await this.dataSource.transaction(async (manager) => {
      const changed = await changeRow(
        manager.getRepository(NumberPool),
        { id, teamId },
        { name },
        'Number pool',
      );
      if (phoneNumbers === undefined) return changed;
      // Without this lock, the pool would have the phone numbers of two concurrent replacements.
      await manager.query('SELECT FROM number_pools WHERE id = $1 FOR UPDATE', [id]);
      await manager.delete(NumberPoolMember, { teamId, numberPoolId: id });
      await addMembers(manager, team, id, phoneNumbers);
      return changed;
    });
    return this.resource(pool);
  }

  private async resource(pool: NumberPool): Promise<NumberPoolResource> {
    const [resource] = await this.resources([pool]);
    return resource as NumberPoolResource;
  }

  private async resources(pools: NumberPool[]): Promise<NumberPoolResource[]> {
    const members = await this.dataSource.getRepository(NumberPoolMember).find({
      where: { numberPoolId: In(pools.map((pool) => pool.id)) },
      order: { phoneNumber: 'ASC' },
    });
    const numbers = new Map<string, string[]>(pools.map(({ id }) => [id, []]));
    for (const { numberPoolId, phoneNumber } of members) numbers.get(numberPoolId)?.push(phoneNumber);
    return pools.map(({ id, name, createdAt }) => ({
      id,
      name,
      phoneNumbers: numbers.get(id) ?? [],
      createdAt: createdAt.toISOString(),
    }));
  }
}

async function addMembers(
  manager: EntityManager,
  team: Team,
  numberPoolId: string,
  inputs: readonly unknown[],
): Promise<void> {
  const parsed = inputs.map((input, n) => parsePhoneNumber(input, team.defaultCountry, `phoneNumbers[${n}]`));
  if (!parsed.every(({ ok }) => ok)) throw invalid(...problemsOf(...parsed));
  const numbers = parsed.flatMap((number) => (number.ok ? [number.e164] : []));
  const own = await manager.findBy(PhoneNumber, { teamId: team.id, phoneNumber: In(numbers) });
  const owned = new Set(own.map((row) => row.phoneNumber));
  const foreign = numbers.flatMap((number, n) =>
    owned.has(number) ? [] : [`phoneNumbers[${n}] is not a phone number of the team`],
  );
  if (foreign.length > 0) throw invalid(...foreign);
  const members = [...owned].map((phoneNumber) => ({ teamId: team.id, numberPoolId, phoneNumber }));
  if (members.length > 0) await manager.insert(NumberPoolMember, members);
}
