import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { pageByKey } from '../lists/keyset.js';
import { changeRow, findRow, refuse, sentFields } from '../lists/rows.js';
import { type Page, type PageRequest } from '../http/page.js';
import { TeamsService } from '../teams/teams.service.js';
import {
  type CreatePhoneNumber,
  type PhoneNumberResource,
  phoneNumberResource,
  type UpdatePhoneNumber,
} from './phone-number.dto.js';
import { PhoneNumber } from './phone-number.entity.js';
import { isE164 } from '../domain/sought-number.js';
import { readTeamNumber } from './team-number.js';

const KEY = { property: 'phoneNumber', of: (row: PhoneNumber) => row.phoneNumber, isKey: isE164 } as const;

const IN_USE = ['CONFLICT', 'The phoneNumber is in use by a voice agent or a number pool'] as const;
const REFUSALS = {
  uq_phone_numbers_team_number: ['CONFLICT', 'The team already has this phoneNumber'],
  fk_voice_agents_number: IN_USE,
  fk_number_pool_members_number: IN_USE,
} as const;

/** The numbers that teams call from. */
@Injectable()
export class PhoneNumbersService {
  private readonly numbers: Repository<PhoneNumber>;

  constructor(
    dataSource: DataSource,
    private readonly teams: TeamsService,
  ) {
    this.numbers = dataSource.getRepository(PhoneNumber);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<PhoneNumberResource>> {
    await this.teams.find(teamId);
    const query = this.numbers.createQueryBuilder('n').where({ teamId });
    return pageByKey(query, request, KEY, phoneNumberResource);
  }

  /** The phone numbers of all teams that may be caller IDs, in E.164. */
  async outboundNumbers(): Promise<string[]> {
    const rows = await this.numbers.findBy({ active: true, outboundEnabled: true });
    return [...new Set(rows.map(({ phoneNumber }) => phoneNumber))].sort();
  }

  /** @throws AppError `NOT_FOUND` for the team or the number. */
  async get(teamId: string, id: string): Promise<PhoneNumberResource> {
    await this.teams.find(teamId);
    return phoneNumberResource(await findRow(this.numbers, { id, teamId }, 'Phone number'));
  }

  /**
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST`, or `CONFLICT` if the team already has the
   *   number.
   */
  async create(teamId: string, fields: CreatePhoneNumber): Promise<PhoneNumberResource> {
    const team = await this.teams.find(teamId);
    const phoneNumber = readTeamNumber(team, fields.phoneNumber, 'phoneNumber');
    const row = this.numbers.create({ ...sentFields(fields), phoneNumber, teamId });
    const { id } = await this.numbers.save(row).catch(refuse(REFUSALS));
    return this.get(teamId, id);
  }

  /**
   * Changes the fields that were sent. `phoneNumber` cannot change while an agent or a pool names the number.
   *
   * @throws AppError as {@link create}, and `NOT_FOUND` for the number.
   */
  async update(teamId: string, id: string, fields: UpdatePhoneNumber): Promise<PhoneNumberResource> {
    const team = await this.teams.find(teamId);
    const phoneNumber =
      fields.phoneNumber === undefined ? undefined : readTeamNumber(team, fields.phoneNumber, 'phoneNumber');
    const change = changeRow(this.numbers, { id, teamId }, { ...fields, phoneNumber }, 'Phone number');
    return phoneNumberResource(await change.catch(refuse(REFUSALS)));
  }
}
