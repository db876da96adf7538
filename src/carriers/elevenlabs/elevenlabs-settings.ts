import { type AgentSettingField } from '../agent-setting-field.js';
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

/** The same settings in forms. */
export const ELEVENLABS_SETTINGS: readonly AgentSettingField[] = [
  {
    name: 'agentId',
    label: 'Agent at ElevenLabs',
    hint: 'ElevenLabs’ dashboard shows the id of the agent that talks. Required.',
    kind: { type: 'text' },
  },
  {
    name: 'telephony',
    label: 'Telephony of its numbers',
    hint: 'As the numbers were imported at ElevenLabs. As usual: Twilio.',
    kind: {
      type: 'choice',
      options: [
        ['twilio', 'Twilio'],
        ['sip_trunk', 'SIP trunk'],
      ],
    },
  },
  {
    name: 'phoneNumberIds',
    label: 'Ids of numbers at ElevenLabs',
    hint: 'A line for each: the number, a space, its id. Empty: they are looked up.',
    kind: { type: 'numberIds' },
  },
  {
    name: 'ringTimeoutSeconds',
    label: 'Seconds of ringing',
    hint: '5 to 300. Empty: as ElevenLabs says.',
    kind: { type: 'wholeNumber' },
  },
  {
    name: 'overrideFirstMessage',
    label: 'The first message replaces that at ElevenLabs',
    hint: 'Only if the security settings of the agent there allow it.',
    kind: { type: 'flag' },
  },
  {
    name: 'overridePrompt',
    label: 'The prompt replaces that at ElevenLabs',
    hint: 'Only if the security settings of the agent there allow it.',
    kind: { type: 'flag' },
  },
  {
    name: 'optOutPath',
    label: 'Where the analysis says that the person opted out',
    hint: 'Names with dots between them, such as data_collection_results.do_not_call.value.',
    kind: { type: 'text' },
  },
  {
    name: 'dispositionPath',
    label: 'Where the analysis has the disposition',
    hint: 'Names with dots between them, such as data_collection_results.outcome.value.',
    kind: { type: 'text' },
  },
];
