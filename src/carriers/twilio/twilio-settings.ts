import { type AgentSettingField } from '../agent-setting-field.js';

/** The runtime to which Twilio connects an answered call: exactly one of the three. */
export type TwilioAgentRuntime =
  | { kind: 'twimlUrl'; url: string }
  | { kind: 'conversationRelay'; url: string; attributes: Record<string, string> }
  | { kind: 'mediaStream'; url: string };

/** The parsed `carrierSettings` of a voice agent. */
export interface TwilioAgentSettings {
  runtime: TwilioAgentRuntime;
  machineDetection: 'off' | 'Enable' | 'DetectMessageEnd';
  ringTimeoutSeconds: number;
}

export type ParsedTwilioSettings =
  { ok: true; settings: TwilioAgentSettings } | { ok: false; message: string };

/** The fields that set the runtime, and the protocols that Twilio accepts for each. */
const RUNTIMES = {
  twimlUrl: ['https:', 'http:'],
  conversationRelayUrl: ['wss:'],
  mediaStreamUrl: ['wss:'],
} as const;
type RuntimeField = keyof typeof RUNTIMES;
const RUNTIME_FIELDS = Object.keys(RUNTIMES) as RuntimeField[];

/** Attributes of `<ConversationRelay>` that an agent may set; Outdial sets the others. */
const RELAY_ATTRIBUTES = [
  'language',
  'ttsLanguage',
  'ttsProvider',
  'voice',
  'transcriptionLanguage',
  'transcriptionProvider',
  'speechModel',
  'interruptible',
  'interruptSensitivity',
  'welcomeGreetingInterruptible',
  'dtmfDetection',
  'reportInputDuringAgentSpeech',
  'preemptible',
  'hints',
  'elevenlabsTextNormalization',
];
const FIELDS = [...RUNTIME_FIELDS, 'conversationRelay', 'machineDetection', 'ringTimeoutSeconds'];
const MACHINE_DETECTION = ['off', 'Enable', 'DetectMessageEnd'] as const;
const MAX_URL = 1_000;
const RING_SECONDS = { least: 5, most: 600, usual: 60 };

/**
 * Reads an agent's settings. The message names the known field that is invalid, and contains neither an
 * unknown field nor a value.
 */
export function parseTwilioSettings(settings: Record<string, unknown>): ParsedTwilioSettings {
  const stranger = Object.keys(settings).find((key) => !FIELDS.includes(key));
  if (stranger !== undefined) return no(`carrierSettings may have ${FIELDS.join(', ')}, and nothing else`);
  const named = RUNTIME_FIELDS.filter((field) => settings[field] !== undefined);
  const [field] = named;
  if (field === undefined || named.length > 1) {
    return no(`carrierSettings must have exactly one of ${RUNTIME_FIELDS.join(', ')}`);
  }
  const url = settings[field];
  const urlFault = faultOfUrl(url, RUNTIMES[field], field === 'mediaStreamUrl');
  if (urlFault !== null) return no(`carrierSettings.${field} ${urlFault}`);
  const { machineDetection = 'off', ringTimeoutSeconds = RING_SECONDS.usual, conversationRelay } = settings;
  const detection = MACHINE_DETECTION.find((known) => known === machineDetection);
  if (detection === undefined) {
    return no(`carrierSettings.machineDetection must be one of ${MACHINE_DETECTION.join(', ')}`);
  }
  if (!isWholeNumber(ringTimeoutSeconds, RING_SECONDS)) {
    const { least, most } = RING_SECONDS;
    return no(`carrierSettings.ringTimeoutSeconds must be a whole number from ${least} to ${most}`);
  }
  const attributes = relayAttributes(conversationRelay);
  if (attributes === null || (conversationRelay !== undefined && field !== 'conversationRelayUrl')) {
    return no(
      `carrierSettings.conversationRelay may stand beside conversationRelayUrl, and have texts for ${RELAY_ATTRIBUTES.join(', ')}`,
    );
  }
  const runtime = runtimeOf(field, url as string, attributes);
  return { ok: true, settings: { runtime, machineDetection: detection, ringTimeoutSeconds } };
}

function runtimeOf(field: RuntimeField, url: string, attributes: Record<string, string>): TwilioAgentRuntime {
  switch (field) {
    case 'twimlUrl':
      return { kind: 'twimlUrl', url };
    case 'conversationRelayUrl':
      return { kind: 'conversationRelay', url, attributes };
    case 'mediaStreamUrl':
      return { kind: 'mediaStream', url };
  }
}

function faultOfUrl(value: unknown, protocols: readonly string[], withoutQuery: boolean): string | null {
  const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ');
  if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) {
    return `must be a URL that begins with ${schemes}`;
  }
  const { protocol, username, password, search } = new URL(value);
  if (!protocols.includes(protocol)) return `must be a URL that begins with ${schemes}`;
  if (username !== '' || password !== '') return 'must hold no credentials';
  // Twilio silently drops the query of a stream's URL.
  return withoutQuery && search !== '' ? 'must have no query' : null;
}

function isWholeNumber(value: unknown, { least, most }: { least: number; most: number }): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

/** Null if the value is malformed. */
function relayAttributes(value: unknown = {}): Record<string, string> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value as Record<string, unknown>);
  const good = entries.every(
    ([name, text]) => RELAY_ATTRIBUTES.includes(name) && typeof text === 'string' && text.length <= 200,
  );
  return good ? (value as Record<string, string>) : null;
}

function no(message: string): ParsedTwilioSettings {
  return { ok: false, message };
}

/** The settings in forms. */
export const TWILIO_SETTINGS: readonly AgentSettingField[] = [
  {
    name: 'twimlUrl',
    label: 'TwiML URL',
    hint: 'Where Twilio asks what to do with an answered call. Give one of the three URLs.',
    kind: { type: 'text' },
  },
  {
    name: 'conversationRelayUrl',
    label: 'ConversationRelay URL',
    hint: 'A wss:// URL, which receives the conversation as text.',
    kind: { type: 'text' },
  },
  {
    name: 'mediaStreamUrl',
    label: 'Media stream URL',
    hint: 'A wss:// URL without a query, which receives the sound of the call.',
    kind: { type: 'text' },
  },
  {
    name: 'machineDetection',
    label: 'Answering machines',
    hint: 'Whether Twilio detects them.',
    kind: {
      type: 'choice',
      options: [
        ['off', 'Not detected'],
        ['Enable', 'Detected as they answer'],
        ['DetectMessageEnd', 'Detected at the end of their message'],
      ],
    },
  },
  {
    name: 'ringTimeoutSeconds',
    label: 'Seconds of ringing',
    hint: `${RING_SECONDS.least} to ${RING_SECONDS.most}. Empty: ${RING_SECONDS.usual}.`,
    kind: { type: 'wholeNumber' },
  },
  ...RELAY_ATTRIBUTES.map((attribute) => ({
    name: `conversationRelay.${attribute}`,
    label: attribute,
    hint: 'As Twilio describes the attribute of ConversationRelay.',
    kind: { type: 'text' } as const,
    group: 'ConversationRelay',
  })),
];
