import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Why an endpoint is disabled: by its team, by the answer 410, or because all attempts of five days failed.
 * The operations pages show the latter two.
 */
export type DisabledReason = 'team' | 'gone' | 'failing';

/** A receiver of a team's events. */
@Entity('webhook_endpoints')
@Check('ck_webhook_endpoints_disabled', '(disabled_at IS NULL) = (disabled_reason IS NULL)')
@Check('ck_webhook_endpoints_types', 'cardinality(types) > 0')
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_webhook_endpoints_team' })
@Index('ix_webhook_endpoints_team', ['teamId'])
@Index('ix_webhook_endpoints_failing', ['failingSince'], { where: 'failing_since IS NOT NULL' })
@Index('ix_webhook_endpoints_disabled', ['disabledAt'], { where: 'disabled_at IS NOT NULL' })
export class WebhookEndpoint {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_webhook_endpoints' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('text')
  url: string;

  /** The types of events that it gets; `null` is all. */
  @Column('text', { array: true, nullable: true })
  types: string[] | null;

  @Column('text', { nullable: true })
  description: string | null;

  /** `whsec_…`, sealed or plain. It is not hashed, because it signs requests. Empty once the endpoint is deleted. */
  @Column('text')
  secret: string;

  /** The secret before the rotation. It signs as well until {@link previousUntil}. */
  @Column('text', { nullable: true })
  previousSecret: string | null;

  @Column('timestamptz', { nullable: true })
  previousUntil: Date | null;

  @Column('timestamptz', { nullable: true })
  disabledAt: Date | null;

  @Column('text', { nullable: true })
  disabledReason: DisabledReason | null;

  /** The first failed attempt since the last success. A change of the URL, or enabling, resets it. */
  @Column('timestamptz', { nullable: true })
  failingSince: Date | null;

  /** Nothing is sent before this instant, because the receiver asked for it. */
  @Column('timestamptz', { nullable: true })
  heldUntil: Date | null;

  /** When the endpoint was deleted. The row stays until its deliveries are removed. */
  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
