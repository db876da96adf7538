import { Injectable } from '@nestjs/common';
import { FeedService } from '../../events/feed/feed.service.js';
import {
  WebhookDeliveriesService,
  type WebhookDeliveryView,
} from '../../events/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../../events/webhooks/webhook-endpoints.service.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { deliveryPage } from './delivery.view.js';

/** The most characters of an event that are shown. */
const SHOWN = 16_384;

/** One delivery of an event to an endpoint. */
@Injectable()
export class DeliveryPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly feed: FeedService,
  ) {}

  /** @throws AppError `NOT_FOUND`. */
  async page(request: PageRequest, teamId: string, endpointId: string, id: string): Promise<PageElement> {
    const [frame, endpoint, delivery] = await Promise.all([
      this.frames.of(request),
      this.endpoints.get(teamId, endpointId),
      this.find(teamId, endpointId, id),
    ]);
    return deliveryPage(frame, { endpoint, delivery, body: await this.bodyOf(teamId, delivery) });
  }

  /**
   * Sends the event again, also one that was delivered.
   *
   * @throws AppError `NOT_FOUND`; `CONFLICT` for an endpoint that is disabled.
   */
  async retry(teamId: string, endpointId: string, id: string): Promise<void> {
    const { status } = await this.find(teamId, endpointId, id);
    await this.deliveries.retry(teamId, id, status === 'delivered');
  }

  private async find(teamId: string, endpointId: string, id: string): Promise<WebhookDeliveryView> {
    const delivery = await this.deliveries.get(teamId, id);
    if (delivery.endpointId !== endpointId.toLowerCase()) throw notFound('Webhook delivery');
    return delivery;
  }

  /** The event as it is sent now; null for a test, and for an event that is not kept any more. */
  private async bodyOf(teamId: string, { sequence, eventId }: WebhookDeliveryView): Promise<string | null> {
    if (sequence === 0) return null;
    try {
      const { items } = await this.feed.read(teamId, { after: sequence - 1, types: null, limit: 1 });
      const event = items.find(({ id }) => id === eventId);
      if (event === undefined) return null;
      const text = JSON.stringify(event, null, 2);
      return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
    } catch (error) {
      if (error instanceof AppError && error.code === 'GONE') return null;
      throw error;
    }
  }
}
