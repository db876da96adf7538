import { type AgentSettingField } from '../agent-setting-field.js';
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

/** The same settings in forms. */
export const VAPI_SETTINGS: readonly AgentSettingField[] = [
  {
    name: 'assistantId',
    label: 'Assistant at Vapi',
    hint: 'Vapi’s dashboard shows the id of the assistant that talks. Required.',
    kind: { type: 'text' },
  },
  {
    name: 'assistantVersion',
    label: 'Version of that assistant',
    hint: 'Empty: the newest.',
    kind: { type: 'text' },
  },
  {
    name: 'phoneNumberIds',
    label: 'Ids of numbers at Vapi',
    hint: 'A line for each: the number, a space, its id. Empty: they are looked up.',
    kind: { type: 'numberIds' },
  },
  {
    name: 'maxDurationSeconds',
    label: 'Longest call, in seconds',
    hint: '10 to 43200. Empty: as Vapi’s assistant says.',
    kind: { type: 'wholeNumber' },
  },
  {
    name: 'optOutPath',
    label: 'Where the analysis says that the person opted out',
    hint: 'Names with dots between them, such as structuredData.do_not_call.',
    kind: { type: 'text' },
  },
  {
    name: 'dispositionPath',
    label: 'Where the analysis has the disposition',
    hint: 'Names with dots between them, such as structuredData.disposition.',
    kind: { type: 'text' },
  },
];
