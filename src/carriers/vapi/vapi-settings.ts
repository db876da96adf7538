import { type CarrierSettings } from '../carrier.js';
import { type ResultPaths } from '../conversation-result.js';
import { isId, isNumberIds, isPath, isWholeFrom, settingsProblem } from '../settings-fields.js';

/** An agent's `carrierSettings`. */
export interface VapiSettings extends ResultPaths {
  /** Vapi's assistant that talks. */
  assistantId: string;
  assistantVersion?: string;
  /** Vapi's ids of caller IDs, by E.164; a number that is not among them is looked up. */
  phoneNumberIds?: Record<string, string>;
  /** The longest call; by default as Vapi's assistant says. */
  maxDurationSeconds?: number;
}

const RULES = {
  assistantId: isId,
  assistantVersion: isId,
  phoneNumberIds: isNumberIds,
  maxDurationSeconds: isWholeFrom(10, 43_200),
  optOutPath: isPath,
  dispositionPath: isPath,
};

export function vapiSettingsProblem(settings: CarrierSettings): string | null {
  return settingsProblem('vapi', settings, RULES, ['assistantId']);
}

/** Null if the settings are invalid, because an earlier version stored them. */
export function vapiSettingsOf(settings: CarrierSettings): VapiSettings | null {
  return vapiSettingsProblem(settings) === null ? (settings as unknown as VapiSettings) : null;
}
