import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, type Repository } from 'typeorm';
import { type AccountField, readCredentials } from '../carriers/account-fields.js';
import { checkBounded } from '../carriers/bounded.js';
import { accountReportUrl } from '../carriers/callbacks.js';
import { type CarrierSettings } from '../carriers/carrier.js';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { CARRIERS } from '../carriers/registry.js';
import { Config } from '../config/config.js';
import { AppError, invalid, notFound, problemOf } from '../http/app-error.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { pageByCreation } from '../lists/keyset.js';
import { findRow } from '../lists/rows.js';
import { type Secrets } from '../secrets/secrets.js';
import { SECRETS } from '../secrets/secrets.token.js';
import { TeamsService } from '../teams/teams.service.js';
import { CarrierAccountOpener } from './carrier-account-opener.service.js';
import {
  type CarrierAccountCheck,
  type CarrierAccountResource,
  type CreateCarrierAccount,
  type UpdateCarrierAccount,
} from './carrier-account.dto.js';
import { CarrierAccount } from './carrier-account.entity.js';
import {
  AGENTS_WITH_ACCOUNT,
  DELETE_ACCOUNT,
  HOLD_ACCOUNT,
  LOCK_ACCOUNT,
  OUTBOUND_NUMBERS,
  ROTATE_CREDENTIALS,
  SETTINGS_WITH_ACCOUNT,
  SETTINGS_WITHOUT_ACCOUNT,
} from './carrier-accounts.sql.js';
import { placeOf } from './sealed-columns.js';

const EXISTING = { deletedAt: IsNull() };

/** A team has at most this many accounts. */
const MAX_ACCOUNTS = 50;

/** Why no account can be made without `SECRETS_KEY`. */
export const NO_KEY =
  'Carrier accounts need SECRETS_KEY, under which credentials are sealed: the operator of this installation sets it';

/** The carrier accounts of teams. Credentials come in, and never out. */
@Injectable()
export class CarrierAccountsService {
  private readonly accounts: Repository<CarrierAccount>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
    private readonly carriers: CarrierRegistry,
    private readonly opener: CarrierAccountOpener,
    private readonly config: Config,
    @Inject(SECRETS) private readonly secrets: Secrets | null,
  ) {
    this.accounts = dataSource.getRepository(CarrierAccount);
  }

  /** Whether accounts can be made here, which needs `SECRETS_KEY`. */
  get canSeal(): boolean {
    return this.secrets !== null;
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<CarrierAccountResource>> {
    await this.teams.find(teamId);
    const query = this.accounts.createQueryBuilder('a').where({ teamId, ...EXISTING });
    return pageByCreation(query, request, (account) => this.resource(account));
  }

  /** @throws AppError `NOT_FOUND` for the team or the account. */
  async get(teamId: string, id: string): Promise<CarrierAccountResource> {
    return this.resource(await this.find(teamId, id));
  }

  /**
   * @throws AppError `NOT_FOUND` for the team; `INVALID_REQUEST` naming the credentials at fault; `CONFLICT`
   *   without `SECRETS_KEY`, or if the team has {@link MAX_ACCOUNTS}.
   */
  async create(teamId: string, fields: CreateCarrierAccount): Promise<CarrierAccountResource> {
    await this.teams.find(teamId);
    const { name, carrier, maxConcurrent = null, callsPerSecond = null } = fields;
    const id = randomUUID();
    const credentials = this.sealed(id, carrier, fields.credentials);
    if ((await this.accounts.countBy({ teamId, ...EXISTING })) >= MAX_ACCOUNTS) {
      throw new AppError('CONFLICT', `The team has ${MAX_ACCOUNTS} carrier accounts already`);
    }
    const limits = { maxConcurrent, callsPerSecond };
    await this.accounts.save(this.accounts.create({ id, teamId, name, carrier, credentials, ...limits }));
    return this.get(teamId, id);
  }

  /**
   * Changes the fields that were sent. New limits hold from the next decision about a call on. New credentials dial from the next call on. Reports that are signed with
   * the previous ones are accepted for a day.
   *
   * @throws AppError as {@link create}, and `NOT_FOUND` for the account.
   */
  async update(teamId: string, id: string, fields: UpdateCarrierAccount): Promise<CarrierAccountResource> {
    const account = await this.find(teamId, id);
    const { credentials, ...plain } = fields;
    const stored = credentials && this.sealed(account.id, account.carrier, credentials);
    await this.dataSource.transaction(async (manager) => {
      const isChanged = Object.values(plain).some((value) => value !== undefined);
      if (isChanged) await manager.update(CarrierAccount, { id: account.id, teamId }, plain);
      if (stored !== undefined) await manager.query(ROTATE_CREDENTIALS, [teamId, account.id, stored]);
    });
    return this.get(teamId, id);
  }

  /**
   * Deletes an account and its credentials.
   *
   * @throws AppError `NOT_FOUND` for the team or the account, `CONFLICT` if an agent names it.
   */
  async delete(teamId: string, id: string): Promise<void> {
    await this.teams.find(teamId);
    if (!isUuid(id)) throw notFound('Carrier account');
    await this.dataSource.transaction(async (manager) => {
      const [account] = await manager.query<{ id: string }[]>(LOCK_ACCOUNT, [teamId, id]);
      if (account === undefined) throw notFound('Carrier account');
      const [agents] = await manager.query<{ count: number }[]>(AGENTS_WITH_ACCOUNT, [teamId, account.id]);
      if (agents !== undefined && agents.count > 0) {
        throw new AppError('CONFLICT', `The carrier account is in use by ${agents.count} voice agent(s)`, {
          reason: 'ACCOUNT_IN_USE',
        });
      }
      await manager.query(DELETE_ACCOUNT, [teamId, account.id]);
    });
  }

  /**
   * Tries the credentials, the agents that name the account, and the numbers from which these call, without a
   * call.
   *
   * @param only checks the settings and numbers of one agent instead.
   * @throws AppError `NOT_FOUND`; `CONFLICT` if the deployment does not have the carrier.
   */
  async check(
    teamId: string,
    id: string,
    only?: { settings: CarrierSettings; numbers: readonly string[] },
  ): Promise<CarrierAccountCheck> {
    const account = await this.find(teamId, id);
    const carrier = this.carriers.get(account.carrier);
    if (carrier === undefined) {
      throw new AppError('CONFLICT', `The deployment does not have the carrier ${account.carrier}`);
    }
    const [opened, settings, numbers] = await Promise.all([
      this.opener.open(account.id, account.carrier, teamId),
      only ? [only.settings] : this.settingsWith(SETTINGS_WITH_ACCOUNT, [teamId, id]),
      only?.numbers ?? this.numbersOf(teamId, id),
    ]);
    // It was deleted meanwhile. Without an account, the check would be of the deployment's.
    if (opened === null) throw notFound('Carrier account');
    const credentialsSince = account.rotatedAt ?? account.createdAt;
    const { ok, items } = await checkBounded(carrier, numbers, {
      account: opened,
      settings,
      credentialsSince,
    });
    return { ok, items };
  }

  /**
   * The settings of the agents that dial with the deployment's account at a carrier, for a check.
   *
   * @param teamId null: of all teams.
   */
  settingsAtDeployment(carrier: string, teamId: string | null): Promise<CarrierSettings[]> {
    const isDefault = carrier === this.carriers.defaultName;
    return this.settingsWith(SETTINGS_WITHOUT_ACCOUNT, [carrier, isDefault, teamId]);
  }

  /**
   * Returns why an agent cannot name an account, as a message that names the field; null if it can.
   *
   * @param carrier that the agent names; null: the deployment's default carrier.
   */
  async problemWith(teamId: string, carrier: string | null, accountId: string): Promise<string | null> {
    const account = await this.accounts.findOneBy({ id: accountId, teamId, ...EXISTING });
    if (account === null) return 'carrierAccountId is not a carrier account of the team';
    const agents = carrier ?? this.carriers.defaultName;
    return account.carrier === agents
      ? null
      : `carrierAccountId is an account at ${account.carrier}, and the carrier of the agent is ${agents}`;
  }

  /**
   * @param manager of the transaction that saves the agent. Until this transaction ends, the account is not
   *   deleted.
   * @returns whether the team has the account.
   */
  async hold(manager: EntityManager, teamId: string, id: string): Promise<boolean> {
    const rows = await manager.query<{ id: string }[]>(HOLD_ACCOUNT, [teamId, id]);
    return rows.length > 0;
  }

  private async settingsWith(statement: string, values: unknown[]): Promise<CarrierSettings[]> {
    const agents = await this.dataSource.query<{ carrier_settings: CarrierSettings }[]>(statement, values);
    return agents.map(({ carrier_settings: settings }) => settings);
  }

  private async numbersOf(teamId: string, id: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ phone_number: string }[]>(OUTBOUND_NUMBERS, [teamId, id]);
    return rows.map(({ phone_number: number }) => number);
  }

  private async find(teamId: string, id: string): Promise<CarrierAccount> {
    await this.teams.find(teamId);
    return findRow(this.accounts, { id, teamId, ...EXISTING }, 'Carrier account');
  }

  /** @throws AppError `INVALID_REQUEST` naming the credentials at fault, `CONFLICT` without `SECRETS_KEY`. */
  private sealed(id: string, carrier: string, sent: Record<string, unknown>): string {
    const read = readCredentials(accountFieldsOf(carrier), sent);
    if (!read.ok) throw invalid(...read.messages.map((message) => problemOf(message)));
    if (this.secrets === null) throw new AppError('CONFLICT', NO_KEY);
    return this.secrets.seal(JSON.stringify(read.credentials), placeOf(id));
  }

  private resource(account: CarrierAccount): CarrierAccountResource {
    const { id, name, carrier, maxConcurrent, callsPerSecond, rotatedAt, createdAt } = account;
    return {
      id,
      name,
      carrier,
      reportUrl: this.reportUrl(carrier, id),
      maxConcurrent,
      callsPerSecond,
      rotatedAt: rotatedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  }

  private reportUrl(carrier: string, id: string): string | null {
    const { publicUrl } = this.config;
    const path = CARRIERS.find(({ name }) => name === carrier)?.callbacks.path;
    return publicUrl === undefined || path === undefined ? null : accountReportUrl(publicUrl, path, id);
  }
}

/** The credentials of an account at a carrier; empty: teams have no accounts of their own there. */
export function accountFieldsOf(carrier: string): readonly AccountField[] {
  const definition: { accountFields?: readonly AccountField[] } | undefined = CARRIERS.find(
    ({ name }) => name === carrier,
  );
  return definition?.accountFields ?? [];
}
