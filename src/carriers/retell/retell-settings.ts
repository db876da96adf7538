import { type AgentSettingField } from '../agent-setting-field.js';
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

/** The same settings in forms. */
export const RETELL_SETTINGS: readonly AgentSettingField[] = [
  {
    name: 'agentId',
    label: 'Agent at Retell',
    hint: 'Retell’s dashboard shows the id of the agent that talks. Required.',
    kind: { type: 'text' },
  },
  {
    name: 'agentVersion',
    label: 'Version of that agent',
    hint: 'Empty: the published one.',
    kind: { type: 'wholeNumber' },
  },
  {
    name: 'ringTimeoutSeconds',
    label: 'Seconds of ringing',
    hint: '5 to 300. Empty: as Retell’s agent says.',
    kind: { type: 'wholeNumber' },
  },
  {
    name: 'optOutPath',
    label: 'Where the analysis says that the person opted out',
    hint: 'Names with dots between them, such as custom.do_not_call.',
    kind: { type: 'text' },
  },
  {
    name: 'dispositionPath',
    label: 'Where the analysis has the disposition',
    hint: 'Names with dots between them, such as custom.disposition.',
    kind: { type: 'text' },
  },
];
