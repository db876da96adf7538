import { IsOptional } from 'class-validator';
import { fieldRule } from '../../http/field-rule.js';
import { listOf, oneOf } from '../../http/json-schema.js';
import { IsFlag, MayBeAbsent } from '../../http/operator-validators.js';
import { IsText } from '../../http/validators.js';
import { EVENT_TYPES } from '../event-types.js';
import { MAX_URL } from './webhook-url.js';
import { type DisabledReason } from './webhook-endpoint.entity.js';

const MAX_DESCRIPTION = 500;

/** At least one type of events, and none twice. */
function IsEventTypes(): PropertyDecorator {
  const known: readonly string[] = EVENT_TYPES;
  const fault = (value: unknown) => {
    if (!Array.isArray(value) || value.length === 0) return 'must be null or an array of event types';
    if (!value.every((type) => typeof type === 'string' && known.includes(type)))
      return `must hold event types: ${known.join(', ')}`;
    return new Set(value).size === value.length ? null : 'must not repeat an event type';
  };
  const schema = listOf(oneOf(known), { minItems: 1, maxItems: known.length });
  return fieldRule('isEventTypes', fault, { ...schema, uniqueItems: true });
}

/** Body of a new endpoint. */
export class CreateWebhookEndpoint {
  /** Read by `readWebhookUrl`. */
  @IsText(MAX_URL)
  url: string;

  /** `null` or absent: all types. */
  @IsOptional()
  @IsEventTypes()
  types?: string[] | null;

  @IsOptional()
  @IsText(MAX_DESCRIPTION)
  description?: string | null;

  @MayBeAbsent()
  @IsFlag()
  disabled?: boolean;
}

/** Body of a change: absent fields stay as they are. */
export class UpdateWebhookEndpoint extends CreateWebhookEndpoint {
  @MayBeAbsent()
  declare url: string;
}

/** An endpoint as its team reads it. */
export interface WebhookEndpointView {
  id: string;
  url: string;
  types: string[] | null;
  description: string | null;
  disabled: boolean;
  disabledReason: DisabledReason | null;
  failingSince: string | null;
  createdAt: string;
}

/** An endpoint at its creation, and after a rotation. Only these answers show `secret`. */
export type WebhookEndpointWithSecret = WebhookEndpointView & { secret: string };
