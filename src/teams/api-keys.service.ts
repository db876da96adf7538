import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type Repository } from 'typeorm';
import { pageByCreation } from '../lists/keyset.js';
import { findRow } from '../lists/rows.js';
import { KEY_SCOPES, scopesOf } from '../domain/key-scopes.js';
import { notFound } from '../http/app-error.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import {
  type ApiKeyResource,
  apiKeyResource,
  type CreateApiKey,
  type NewApiKeyResource,
} from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';
import { generateApiKey, hashApiKey } from './api-key.js';
import { TeamsService } from './teams.service.js';

/** The teams' keys. A revoked key is in no list, and requests with it are refused at once. */
@Injectable()
export class ApiKeysService {
  private readonly keys: Repository<ApiKey>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
  ) {
    this.keys = dataSource.getRepository(ApiKey);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<ApiKeyResource>> {
    await this.teams.find(teamId);
    const query = this.keys.createQueryBuilder('k').where({ teamId, revokedAt: IsNull() });
    return pageByCreation(query, request, apiKeyResource);
  }

  /** @throws AppError `NOT_FOUND` for the team or the key. */
  async get(teamId: string, id: string): Promise<ApiKeyResource> {
    await this.teams.find(teamId);
    return apiKeyResource(await findRow(this.keys, { id, teamId, revokedAt: IsNull() }, 'API key'));
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async create(
    teamId: string,
    { name, scopes = null, expiresAt = null }: CreateApiKey,
  ): Promise<NewApiKeyResource> {
    await this.teams.find(teamId);
    const { key, prefix } = generateApiKey();
    const limits = {
      // A key with every scope also gets those of later versions.
      scopes: scopes === null || scopes.length === KEY_SCOPES.length ? null : scopesOf(scopes),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    };
    const row = this.keys.create({ teamId, name, prefix, keyHash: hashApiKey(key), ...limits });
    const { id } = await this.keys.save(row);
    return { ...(await this.get(teamId, id)), key };
  }

  /** @throws AppError `NOT_FOUND` for the team, or a key that is unknown or revoked already. */
  async revoke(teamId: string, id: string): Promise<void> {
    await this.teams.find(teamId);
    if (!isUuid(id)) throw notFound('API key');
    const { affected } = await this.dataSource.transaction((manager) =>
      manager.update(ApiKey, { id, teamId, revokedAt: IsNull() }, { revokedAt: () => 'now()' }),
    );
    if (!affected) throw notFound('API key');
  }
}
