import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * `pending`: an attempt is due at `next_at`, or under way. `failed`: another attempt is made only after a
 * retry by hand or a replay.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event for one endpoint, with the state of its attempts. */
@Entity('webhook_deliveries')
@Unique('uq_webhook_deliveries_event', ['endpointId', 'eventId'])
@Check('ck_webhook_deliveries_status', `status IN ('pending', 'delivered', 'failed')`)
@Check('ck_webhook_deliveries_due', `(status = 'pending') = (next_at IS NOT NULL)`)
@Index('ix_webhook_deliveries_subject', ['subject'], { where: 'subject IS NOT NULL' })
@Index('ix_webhook_deliveries_pending', ['endpointId', 'bulk', 'nextAt'], { where: `status = 'pending'` })
export class WebhookDelivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_webhook_deliveries' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  endpointId: string;

  /** The id of the event, a UUID of version 7. An endpoint's deliveries are sorted by these ids. */
  @Column('uuid')
  eventId: string;

  /** The position of the event; `null` for a test. */
  @Column('bigint', { nullable: true })
  position: string | null;

  /** Of the event; `null` for a test. */
  @Column('bigint', { nullable: true })
  sequence: string | null;

  /**
   * A hash of the team and the phone number of the person that the event is about. An erasure finds the
   * delivery by it.
   */
  @Column('bigint', { nullable: true })
  subject: string | null;

  @Column('text')
  type: string;

  @Column('text', { default: 'pending' })
  status: DeliveryState;

  /**
   * Whether the event is one of many that were written at once, such as those of an import, or is replayed. The
   * other deliveries to the endpoint come first.
   */
  @Column('boolean', { default: false })
  bulk: boolean;

  /** All attempts that were begun. */
  @Column('integer', { default: 0 })
  attempts: number;

  /**
   * Failed attempts since the delivery was created, replayed or retried by hand; they choose the next pause.
   */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('timestamptz', { nullable: true })
  nextAt: Date | null;

  /**
   * The end of the lease of the worker whose attempt is under way. From this instant on, the delivery can be
   * attempted again.
   */
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
