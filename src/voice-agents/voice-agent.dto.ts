import { IsOptional } from 'class-validator';
import { CARRIER_NAMES } from '../carriers/registry.js';
import { type CallingHours, parseCallingHours, parseClosedDates } from '../domain/calling-hours.js';
import { type Purpose, PURPOSES } from '../domain/compliance/pack.js';
import { type Warned } from '../domain/near-misses.js';
import { MAX_PHONE_NUMBER_TEXT } from '../domain/phone-number.js';
import {
  IsName,
  IsOneOf,
  IsParsedBy,
  IsSettings,
  MAX_TEMPLATE,
  MayBeAbsent,
} from '../http/operator-validators.js';
import { IsText, IsTimeZone, IsUuid } from '../http/validators.js';
import { CALLING_HOURS_SCHEMA, CLOSED_DATES_SCHEMA } from './calling-hours.schema.js';
import { type VoiceAgent } from './voice-agent.entity.js';

/**
 * Body of a new agent. `callingHours` must be sent; `null` means at any time. If the field were optional, a
 * forgotten field could make an agent dial at night.
 */
export class CreateVoiceAgent {
  @IsName()
  name: string;

  @IsTimeZone()
  timezone: string;

  @IsParsedBy(parseCallingHours, CALLING_HOURS_SCHEMA)
  callingHours: CallingHours;

  @MayBeAbsent()
  @IsParsedBy(parseClosedDates, CLOSED_DATES_SCHEMA)
  closedDates?: string[];

  @MayBeAbsent()
  @IsText(MAX_TEMPLATE)
  promptTemplate?: string;

  @MayBeAbsent()
  @IsText(MAX_TEMPLATE)
  firstMessageTemplate?: string;

  @IsOptional()
  @IsText(MAX_PHONE_NUMBER_TEXT)
  outboundPhoneNumber?: string | null;

  @IsOptional()
  @IsUuid()
  numberPoolId?: string | null;

  @IsOptional()
  @IsOneOf(CARRIER_NAMES)
  carrier?: string | null;

  @IsOptional()
  @IsUuid()
  carrierAccountId?: string | null;

  @MayBeAbsent()
  @IsSettings()
  carrierSettings?: Record<string, unknown>;

  @IsOptional()
  @IsOneOf(PURPOSES)
  purpose?: Purpose | null;
}

/** Body of a change: an absent field does not change. */
export class UpdateVoiceAgent extends CreateVoiceAgent {
  @MayBeAbsent()
  declare name: string;

  @MayBeAbsent()
  declare timezone: string;

  @MayBeAbsent()
  declare callingHours: CallingHours;
}

/** An agent as the operator reads it. */
export type VoiceAgentResource = Omit<VoiceAgent, 'teamId' | 'createdAt' | 'deletedAt'> & {
  createdAt: string;
};

/** An agent as a write returns it, with warnings about its templates. */
export type WrittenVoiceAgent = VoiceAgentResource & Warned;

export function voiceAgentResource(agent: VoiceAgent): VoiceAgentResource {
  return {
    id: agent.id,
    name: agent.name,
    timezone: agent.timezone,
    callingHours: agent.callingHours,
    closedDates: agent.closedDates,
    promptTemplate: agent.promptTemplate,
    firstMessageTemplate: agent.firstMessageTemplate,
    outboundPhoneNumber: agent.outboundPhoneNumber,
    numberPoolId: agent.numberPoolId,
    carrier: agent.carrier,
    carrierAccountId: agent.carrierAccountId,
    carrierSettings: agent.carrierSettings,
    purpose: agent.purpose,
    createdAt: agent.createdAt.toISOString(),
  };
}
