import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ChangeScope, ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { Force } from './force.decorator.js';
import { type WebhookDeliveryView, WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** Single deliveries of a team, for requests with the team's API key. */
@Controller('api/webhook-deliveries')
@UseGuards(TeamAuthGuard)
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get(':id')
  @ReadScope('webhooks')
  get(@TeamId() teamId: string, @Param('id') id: string): Promise<WebhookDeliveryView> {
    return this.deliveries.get(teamId, id);
  }

  @Post(':id/retry')
  @ChangeScope('webhooks')
  @HttpCode(200)
  retry(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @Force() force: boolean,
  ): Promise<WebhookDeliveryView> {
    return this.deliveries.retry(teamId, id, force);
  }
}
