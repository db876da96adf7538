import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { pageOfPositioned, positionOf } from '../../lists/newest-first.js';
import { team } from '../../database/team-scope.js';
import { type Query, query, Transactions } from '../../database/transactions.js';
import { AppError, invalid, notFound } from '../../http/app-error.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { WebhookWakeUps } from '../../queue/wake-ups.js';
import { StoredSecrets } from '../../secrets/stored-secrets.js';
import {
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  type EndpointRow,
  FIND_ENDPOINT,
  LIST_ENDPOINTS,
  type ListedEndpointRow,
  LOCK_ENDPOINTS,
  MAX_ENDPOINTS,
  ROTATE_SECRET,
  UPDATE_ENDPOINT,
} from './endpoints.sql.js';
import { placeOf } from './sealed-columns.js';
import { newSecret } from './secret.js';
import {
  type CreateWebhookEndpoint,
  type UpdateWebhookEndpoint,
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
} from './webhook-endpoint.dto.js';
import { readWebhookUrl } from './webhook-url.js';

/** Manages the webhook endpoints of a team, for requests with the team's API key. */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
    private readonly wakeUps: WebhookWakeUps,
    private readonly secrets: StoredSecrets,
  ) {}

  /**
   * @throws AppError `INVALID_REQUEST` for a URL that is not allowed, `CONFLICT` when the team has {@link
   *   MAX_ENDPOINTS}.
   */
  async create(teamId: string, fields: CreateWebhookEndpoint): Promise<WebhookEndpointWithSecret> {
    const { types = null, description = null, disabled = false } = fields;
    const secret = newSecret();
    const id = randomUUID();
    const create = query(
      CREATE_ENDPOINT,
      teamId,
      this.url(fields.url),
      types,
      description,
      disabled,
      this.secrets.stored(secret, placeOf(id)),
      id,
    );
    const [, created] = await this.own(teamId).inOneRoundTrip([query(LOCK_ENDPOINTS, teamId), create]);
    const [row] = created?.rows ?? [];
    if (row === undefined)
      throw new AppError('CONFLICT', `The team has ${MAX_ENDPOINTS} webhook endpoints already`);
    return { ...viewOf(row as EndpointRow), secret };
  }

  /** Lists the newest endpoints first. @throws AppError `INVALID_REQUEST` for the cursor of another list. */
  async list(teamId: string, request: PageRequest): Promise<Page<WebhookEndpointView>> {
    const { at, key } = positionOf(request);
    const page = query(LIST_ENDPOINTS, teamId, at, key, request.limit + 1);
    return pageOfPositioned(request, await this.own(teamId).read<ListedEndpointRow>(page), viewOf);
  }

  /** @throws AppError `NOT_FOUND`. */
  get(teamId: string, id: string): Promise<WebhookEndpointView> {
    return this.one(teamId, id, query(FIND_ENDPOINT, teamId, id));
  }

  /** @throws AppError `NOT_FOUND`, `INVALID_REQUEST`. */
  async update(teamId: string, id: string, fields: UpdateWebhookEndpoint): Promise<WebhookEndpointView> {
    const { url, types, description, disabled } = fields as Partial<UpdateWebhookEndpoint>;
    const change = query(
      UPDATE_ENDPOINT,
      teamId,
      id,
      url === undefined ? null : this.url(url),
      types !== undefined,
      types ?? null,
      description !== undefined,
      description ?? null,
      disabled ?? null,
    );
    const endpoint = await this.one(teamId, id, change);
    // Deliveries may have waited while the endpoint was disabled or held.
    if (!endpoint.disabled) this.wakeUps.wake([{ endpointId: endpoint.id, teamId }]);
    return endpoint;
  }

  /** @throws AppError `NOT_FOUND`. */
  async remove(teamId: string, id: string): Promise<void> {
    if (!isUuid(id)) throw unknownEndpoint();
    const rows = await this.own(teamId).autocommit(query(DELETE_ENDPOINT, teamId, id));
    if (rows.length === 0) throw unknownEndpoint();
  }

  /** Makes a new secret. The previous one signs as well for 24 hours. @throws AppError `NOT_FOUND`. */
  async rotateSecret(teamId: string, id: string): Promise<WebhookEndpointWithSecret> {
    const secret = newSecret();
    // The row's id is in lower case, however the request writes it.
    const stored = this.secrets.stored(secret, placeOf(id.toLowerCase()));
    return { ...(await this.one(teamId, id, query(ROTATE_SECRET, teamId, id, stored))), secret };
  }

  private own(teamId: string) {
    return this.transactions.within(team(teamId));
  }

  private async one(teamId: string, id: string, statement: Query): Promise<WebhookEndpointView> {
    if (!isUuid(id)) throw unknownEndpoint();
    const [row] = await this.own(teamId).autocommit<EndpointRow>(statement);
    if (row === undefined) throw unknownEndpoint();
    return viewOf(row);
  }

  /** Checks a URL and returns it as it was sent. @throws AppError `INVALID_REQUEST`. */
  private url(text: string): string {
    const read = readWebhookUrl(text, { allowPrivate: this.config.webhooksAllowPrivate });
    if (!read.ok) throw invalid(read.message);
    return text;
  }
}

export const unknownEndpoint = () => notFound('Webhook endpoint');

function viewOf(row: EndpointRow): WebhookEndpointView {
  const { id, url, types, description, disabledReason, failingSince, createdAt } = row;
  return {
    id,
    url,
    types,
    description,
    disabled: disabledReason !== null,
    disabledReason,
    failingSince: failingSince?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
