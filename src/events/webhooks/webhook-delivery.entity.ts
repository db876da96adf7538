import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * `pending`: an attempt is due at `next_at`, or under way. `failed`: no further attempt is made by itself.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event on its way to one endpoint. */
@Entity('webhook_deliveries')
@Unique('uq_webhook_deliveries_event', ['endpointId', 'eventId'])
@Check('ck_webhook_deliveries_status', `status IN ('pending', 'delivered', 'failed')`)
@Check('ck_webhook_deliveries_due', `(status = 'pending') = (next_at IS NOT NULL)`)
@Index('ix_webhook_deliveries_subject', ['subject'], { where: 'subject IS NOT NULL' })
@Index('ix_webhook_deliveries_due', ['endpointId', 'nextAt'], { where: `status = 'pending'` })
export class WebhookDelivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_webhook_deliveries' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  endpointId: string;

  /** A UUID of version 7: deliveries of an endpoint are in the order of their events. */
  @Column('uuid')
  eventId: string;

  /** The key of the event; `null` for a test. */
  @Column('bigint', { nullable: true })
  position: string | null;

  /** Of the event; `null` for a test. */
  @Column('bigint', { nullable: true })
  sequence: string | null;

  /** As that of the event: a hash of the team and the phone number of the person that the event is about. */
  @Column('bigint', { nullable: true })
  subject: string | null;

  @Column('text')
  type: string;

  @Column('text', { default: 'pending' })
  status: DeliveryState;

  /** All that were begun. */
  @Column('integer', { default: 0 })
  attempts: number;

  /**
   * Failed attempts since the delivery was created, replayed or retried by hand; they choose the next pause.
   */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('timestamptz', { nullable: true })
  nextAt: Date | null;

  /** The lease of the worker whose attempt is under way. After that, the delivery is attempted again. */
  @Column('timestamptz', { nullable: true })
  claimedUntil: Date | null;

  @Column('timestamptz', { nullable: true })
  attemptedAt: Date | null;

  @Column('integer', { nullable: true })
  responseCode: number | null;

  /** The first 1,024 bytes of the last answer. */
  @Column('text', { nullable: true })
  answer: string | null;

  /** Why the last attempt had no answer, such as `timeout`. */
  @Column('text', { nullable: true })
  error: string | null;

  @Column('integer', { nullable: true })
  durationMs: number | null;

  @Column('timestamptz')
  createdAt: Date;
}
