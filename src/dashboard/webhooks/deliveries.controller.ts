import { Get, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, type PageRequest, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { DeliveryPageService } from './delivery-page.service.js';

/** Deliveries to an endpoint. */
@TeamPages('webhooks/:endpointId/deliveries')
export class DeliveryPagesController {
  constructor(private readonly deliveries: DeliveryPageService) {}

  @Get(':id')
  @Needs('webhooks.change')
  one(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @Param('id') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.deliveries.page(request, teamId, endpointId, id);
  }

  @Post(':id/retry')
  @Needs('webhooks.change')
  async retry(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @Param('id') id: string,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<Done> {
    await this.deliveries.retry(teamId, endpointId, id);
    return new Done(form, 'deliveryretried');
  }
}
