import { type CarrierSettings } from '../carrier.js';
import { type ResultPaths } from '../conversation-result.js';
import {
  isFlag,
  isId,
  isNumberIds,
  isOneOf,
  isPath,
  isWholeFrom,
  settingsProblem,
} from '../settings-fields.js';

/** How ElevenLabs reaches the telephone network. */
export type Telephony = 'twilio' | 'sip_trunk';

/** An agent's `carrierSettings`. */
export interface ElevenLabsSettings extends ResultPaths {
  /** ElevenLabs' agent that talks. */
  agentId: string;
  /** By default `twilio`. */
  telephony?: Telephony;
  /** ElevenLabs' ids of caller IDs, by E.164; a number that is not among them is looked up. */
  phoneNumberIds?: Record<string, string>;
  /** How long it rings; by default as ElevenLabs says. */
  ringTimeoutSeconds?: number;
  /** Whether the agent's texts of Outdial replace those at ElevenLabs, whose agent must allow it. */
  overrideFirstMessage?: boolean;
  overridePrompt?: boolean;
}

const RULES = {
  agentId: isId,
  telephony: isOneOf('twilio', 'sip_trunk'),
  phoneNumberIds: isNumberIds,
  ringTimeoutSeconds: isWholeFrom(5, 300),
  overrideFirstMessage: isFlag,
  overridePrompt: isFlag,
  optOutPath: isPath,
  dispositionPath: isPath,
};

export function elevenLabsSettingsProblem(settings: CarrierSettings): string | null {
  return settingsProblem('elevenlabs', settings, RULES, ['agentId']);
}

/** Null if the settings are invalid, because an earlier version stored them. */
export function elevenLabsSettingsOf(settings: CarrierSettings): ElevenLabsSettings | null {
  return elevenLabsSettingsProblem(settings) === null ? (settings as unknown as ElevenLabsSettings) : null;
}
