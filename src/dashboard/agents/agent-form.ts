import { createHash } from 'node:crypto';
import { agentSettingsOf } from '../../carriers/agent-carrier.service.js';
import {
  type AgentSettingField,
  agentSettingsIn,
  typedAgentSettings,
} from '../../carriers/agent-setting-field.js';
import { type Problem } from '../../http/app-error.js';
import { type CreateVoiceAgent } from '../../voice-agents/voice-agent.dto.js';
import { type FieldErrors, fieldErrors } from '../frame/form-errors.js';
import { type SentFields } from '../frame/sent-fields.js';
import {
  datesErrors,
  datesIn,
  readTypedDates,
  type TypedDates,
  typedDatesOf,
} from '../hours/closed-dates.js';
import { hoursErrors, hoursIn, readTypedHours, type TypedHours, typedHoursOf } from '../hours/hours-form.js';

/** A field of an agent, as the API names it. */
export type AgentField = keyof CreateVoiceAgent;

/** What the form calls the fields. The form has a control for each of them. */
export const AGENT_LABELS: Record<AgentField, string> = {
  name: 'Name',
  purpose: 'Purpose of its calls',
  firstMessageTemplate: 'First message',
  promptTemplate: 'Prompt',
  outboundPhoneNumber: 'Number to call from',
  numberPoolId: 'Number pool',
  timezone: 'Time zone',
  callingHours: 'Calling hours',
  closedDates: 'Closed dates',
  carrier: 'Carrier',
  carrierAccountId: 'Carrier account',
  carrierSettings: 'Settings for the carrier',
};

const FIELDS = Object.keys(AGENT_LABELS) as AgentField[];
/** Of these, an empty field is null. */
const NULLABLE = ['purpose', 'outboundPhoneNumber', 'numberPoolId', 'carrier', 'carrierAccountId'] as const;
const TEXTS = ['name', 'timezone', 'firstMessageTemplate', 'promptTemplate'] as const;

type TextField = (typeof NULLABLE)[number] | (typeof TEXTS)[number];

/** The form's field of a setting that no other field has: JSON. */
export const OTHER_SETTINGS = 'carrierSettings';
/** The carrier whose settings the form asks for. */
const SETTINGS_OF = 'settingsOf';

/** An agent as the form has it. */
export interface TypedAgent extends Record<TextField, string> {
  callingHours: TypedHours;
  closedDates: TypedDates;
  /** The carrier whose settings follow. */
  settingsOf: string;
  /** By the names of the carrier's fields. */
  settings: Record<string, string>;
  /** Settings that no field has, as JSON; empty: none. */
  otherSettings: string;
}

/** The form of an agent. @param defaultCarrier of the deployment, for an agent that names none. */
export function typedAgentOf(agent: CreateVoiceAgent, defaultCarrier: string): TypedAgent {
  const texts = [...NULLABLE, ...TEXTS].map((name) => [name, lines(agent[name] ?? '')] as const);
  return {
    ...(Object.fromEntries(texts) as Record<TextField, string>),
    callingHours: typedHoursOf(agent.callingHours),
    closedDates: typedDatesOf(agent.closedDates ?? []),
    ...typedSettings(agent.carrier ?? defaultCarrier, agent.carrierSettings ?? {}),
  };
}

type TypedSettings = Pick<TypedAgent, 'settingsOf' | 'settings' | 'otherSettings'>;

function typedSettings(carrier: string, stored: Record<string, unknown>): TypedSettings {
  const { typed, others } = typedAgentSettings(agentSettingsOf(carrier) ?? [], stored);
  const isEmpty = Object.keys(others).length === 0;
  return {
    settingsOf: carrier,
    settings: typed,
    otherSettings: isEmpty ? '' : JSON.stringify(others, null, 2),
  };
}

/** What was sent. @param defaultCarrier as of {@link typedAgentOf}. */
export function readTypedAgent(sent: SentFields, defaultCarrier: string): TypedAgent {
  const texts = [...NULLABLE, ...TEXTS].map((name) => [name, lines(sent.text(name))] as const);
  const read = Object.fromEntries(texts) as Record<TextField, string>;
  const carrier = read.carrier || defaultCarrier;
  // The settings of another carrier say nothing to this one.
  const isSame = sent.text(SETTINGS_OF) === carrier;
  const fields = isSame ? (agentSettingsOf(carrier) ?? []) : [];
  return {
    ...read,
    callingHours: readTypedHours('callingHours', sent),
    closedDates: readTypedDates('closedDates', sent),
    settingsOf: carrier,
    settings: Object.fromEntries(fields.map(({ name }) => [name, sent.text(settingField(name))])),
    otherSettings: isSame ? sent.text(OTHER_SETTINGS).trim() : '',
  };
}

export const SETTINGS_OF_FIELD = SETTINGS_OF;

/** The name of a setting's field in the form. */
export const settingField = (name: string): string => `carrierSettings.${name}`;

/** The body of the API that the form stands for. */
export function agentIn(typed: TypedAgent): Record<AgentField, unknown> {
  const texts = [
    ...TEXTS.map((name) => [name, typed[name]] as const),
    ...NULLABLE.map((name) => [name, typed[name].trim() || null] as const),
  ];
  return {
    ...(Object.fromEntries(texts) as Record<TextField, string | null>),
    callingHours: hoursIn(typed.callingHours),
    closedDates: datesIn(typed.closedDates),
    carrierSettings: settingsIn(typed),
  };
}

function settingsIn({ settingsOf, settings, otherSettings }: TypedAgent): unknown {
  const others = otherSettings === '' ? {} : jsonIn(otherSettings);
  // The check of the body refuses what is no object.
  if (typeof others !== 'object' || others === null || Array.isArray(others)) return others;
  return agentSettingsIn(agentSettingsOf(settingsOf) ?? [], settings, others as Record<string, unknown>);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The name of the hidden field with the {@link digestsOf} a field's value when the form was made. */
export const beforeField = (name: AgentField): string => `before.${name}`;

/** What a form is made with, so that it changes only the fields that were changed in it. */
export function digestsOf(typed: TypedAgent): Record<AgentField, string> {
  const values = agentIn(typed);
  const digests = FIELDS.map((name) => {
    const text = JSON.stringify(values[name] ?? null);
    return [name, createHash('sha256').update(text).digest('base64url').slice(0, 16)] as const;
  });
  return Object.fromEntries(digests) as Record<AgentField, string>;
}

export function readDigests(sent: SentFields): Record<AgentField, string> {
  const digests = FIELDS.map((name) => [name, sent.text(beforeField(name))] as const);
  return Object.fromEntries(digests) as Record<AgentField, string>;
}

/** The fields whose values differ from those that the form was made with. */
export function changesIn(typed: TypedAgent, before: Record<AgentField, string>): Record<string, unknown> {
  const [values, digests] = [agentIn(typed), digestsOf(typed)];
  const changed = FIELDS.filter((name) => digests[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, values[name]]));
}

/** The faults by the fields of the form, in words. */
export function agentErrors(problems: readonly Problem[], typed: TypedAgent): FieldErrors {
  const errors: FieldErrors = {};
  for (const problem of problems) {
    for (const [field, text] of Object.entries(errorsOf(problem, typed))) errors[field] ??= text;
  }
  return errors;
}

function errorsOf(problem: Problem, typed: TypedAgent): FieldErrors {
  const { path, message } = problem;
  if (message === 'callingHours is required') return { callingHours: 'Choose when the agent may call' };
  if (path.startsWith('callingHours')) return hoursErrors('callingHours', message);
  if (path.startsWith('closedDates')) return datesErrors('closedDates', message, typed.closedDates);
  if (path.startsWith('carrierSettings'))
    return settingErrors(message, agentSettingsOf(typed.settingsOf) ?? []);
  return fieldErrors([problem], AGENT_LABELS);
}

/** A message about a setting is at its field; what is about several, above them. */
function settingErrors(message: string, fields: readonly AgentSettingField[]): FieldErrors {
  const [, path = '', fault = ''] = /^carrierSettings\.([\w.]+) (.*)$/.exec(message) ?? [];
  const field = fields.find(({ name }) => name === path);
  if (field !== undefined) {
    // A form has lines instead of an object.
    const said =
      field.kind.type === 'numberIds'
        ? 'must have a line for each number: the number in E.164, a space, and its id'
        : fault;
    return { [settingField(field.name)]: `${field.label} ${said}` };
  }
  return { carrierSettings: message.replace(/^carrierSettings /, 'The settings ') };
}

/** The line breaks of forms are those of templates. */
const lines = (text: string): string => text.replace(/\r\n?/g, '\n');
