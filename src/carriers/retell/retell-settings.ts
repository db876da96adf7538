import { type CarrierSettings } from '../carrier.js';
import { type ResultPaths } from '../conversation-result.js';
import { isId, isPath, isWholeFrom, settingsProblem } from '../settings-fields.js';

/** An agent's `carrierSettings`. */
export interface RetellSettings extends ResultPaths {
  /** Retell's agent that talks. */
  agentId: string;
  agentVersion?: number;
  /** How long it rings; by default as Retell's agent says. */
  ringTimeoutSeconds?: number;
}

const RULES = {
  agentId: isId,
  agentVersion: isWholeFrom(0, 1_000_000),
  ringTimeoutSeconds: isWholeFrom(5, 300),
  optOutPath: isPath,
  dispositionPath: isPath,
};

export function retellSettingsProblem(settings: CarrierSettings): string | null {
  return settingsProblem('retell', settings, RULES, ['agentId']);
}

/** Null if the settings are invalid, because an earlier version stored them. */
export function retellSettingsOf(settings: CarrierSettings): RetellSettings | null {
  return retellSettingsProblem(settings) === null ? (settings as unknown as RetellSettings) : null;
}
