import { Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { JsonBody } from '../../http/json-body.decorator.js';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { ChangeScope, ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { DELIVERY_FILTERS, type DeliveryFilter } from './delivery-filters.js';
import { ReplayEvents, type ReplayedEvents } from './replay.dto.js';
import { type WebhookDeliveryView, WebhookDeliveriesService } from './webhook-deliveries.service.js';
import {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
} from './webhook-endpoint.dto.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** The webhook endpoints of a team and their deliveries, for requests with the team's API key. */
@Controller('api/webhook-endpoints')
@UseGuards(TeamAuthGuard)
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Post()
  @ChangeScope('webhooks')
  @Header('Cache-Control', 'no-store')
  create(
    @TeamId() teamId: string,
    @JsonBody(CreateWebhookEndpoint) fields: CreateWebhookEndpoint,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.create(teamId, fields);
  }

  @Get()
  @ReadScope('webhooks')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<WebhookEndpointView>> {
    return this.endpoints.list(teamId, page);
  }

  @Get(':id')
  @ReadScope('webhooks')
  get(@TeamId() teamId: string, @Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.get(teamId, id);
  }

  @Patch(':id')
  @ChangeScope('webhooks')
  update(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateWebhookEndpoint) fields: UpdateWebhookEndpoint,
  ): Promise<WebhookEndpointView> {
    return this.endpoints.update(teamId, id, fields);
  }

  @Delete(':id')
  @ChangeScope('webhooks')
  @HttpCode(204)
  remove(@TeamId() teamId: string, @Param('id') id: string): Promise<void> {
    return this.endpoints.remove(teamId, id);
  }

  @Post(':id/rotate-secret')
  @ChangeScope('webhooks')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  rotateSecret(@TeamId() teamId: string, @Param('id') id: string): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(teamId, id);
  }

  @Post(':id/test')
  @ChangeScope('webhooks')
  test(@TeamId() teamId: string, @Param('id') id: string): Promise<WebhookDeliveryView> {
    return this.deliveries.test(teamId, id);
  }

  @Get(':id/deliveries')
  @ReadScope('webhooks')
  listDeliveries(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @PageOf(DELIVERY_FILTERS, { refusedByFilters: true }) page: PageRequest<DeliveryFilter>,
  ): Promise<Page<WebhookDeliveryView>> {
    return this.deliveries.list(teamId, id, page);
  }

  @Post(':id/replay')
  @ChangeScope('webhooks')
  @HttpCode(202)
  replay(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @JsonBody(ReplayEvents) range: ReplayEvents,
  ): Promise<ReplayedEvents> {
    return this.deliveries.replay(teamId, id, range);
  }
}
