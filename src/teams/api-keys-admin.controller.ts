import { Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { type ApiKeyResource, CreateApiKey, type NewApiKeyResource } from './api-key.dto.js';
import { ApiKeysService } from './api-keys.service.js';

@OperatorController('teams/:teamId/api-keys')
export class ApiKeysAdminController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<ApiKeyResource>> {
    return this.keys.list(teamId, page);
  }

  /** The answer is the one place where the key is shown, so no cache may keep it. */
  @Post()
  @Header('Cache-Control', 'no-store')
  create(
    @Param('teamId') teamId: string,
    @JsonBody(CreateApiKey) fields: CreateApiKey,
  ): Promise<NewApiKeyResource> {
    return this.keys.create(teamId, fields);
  }

  @Get(':id')
  get(@Param('teamId') teamId: string, @Param('id') id: string): Promise<ApiKeyResource> {
    return this.keys.get(teamId, id);
  }

  @Delete(':id')
  @HttpCode(204)
  revoke(@Param('teamId') teamId: string, @Param('id') id: string): Promise<void> {
    return this.keys.revoke(teamId, id);
  }
}
