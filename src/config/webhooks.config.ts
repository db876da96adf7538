import { Expose } from 'class-transformer';
import { Flag } from './flag.decorator.js';

/** The delivery of events to teams' endpoints. */
export class WebhooksConfig {
  /** Whether endpoints may be on private networks and on this host, and without TLS. */
  @Expose({ name: 'WEBHOOKS_ALLOW_PRIVATE' })
  @Flag()
  webhooksAllowPrivate = false;
}
