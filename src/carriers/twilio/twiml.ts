import { type TwilioAgentRuntime } from './twilio-settings.js';

/** The parameters of a call for the voice runtime. */
export interface CallBriefing {
  callRequestId: string;
  prompt: string;
  firstMessage: string;
  variables: Record<string, unknown>;
}

/**
 * The longest TwiML that Twilio accepts in the request itself (error 32018). Twilio fetches longer TwiML by
 * URL.
 */
export const MAX_INLINE_TWIML = 4_000;
/** The longest TwiML that Twilio fetches: 64 KB. */
export const MAX_TWIML_BYTES = 64_000;
/** `<Stream>` accepts less than 500 characters for a parameter's name and value in total. */
const MAX_STREAM_PARAMETER = 499;

type SpokenRuntime = Exclude<TwilioAgentRuntime, { kind: 'twimlUrl' }>;

/** Loads the module on first use, because a deployment without Twilio does not need it. */
function loadTwiml() {
  return import('twilio/lib/twiml/VoiceResponse.js');
}

/** Loads the module in advance, so that the first call does not wait for it. */
export async function warmUpTwiml(): Promise<void> {
  await loadTwiml();
}

/** TwiML that connects an answered call to the agent's voice runtime and passes the call's parameters. */
export async function twimlFor(runtime: SpokenRuntime, call: CallBriefing): Promise<string> {
  const { default: VoiceResponse } = await loadTwiml();
  const response = new VoiceResponse();
  const connect = response.connect();
  if (runtime.kind === 'conversationRelay') {
    const relay = connect.conversationRelay({
      ...runtime.attributes,
      url: runtime.url,
      ...(call.firstMessage !== '' && { welcomeGreeting: legal(call.firstMessage) }),
    });
    for (const [name, value] of parametersOf(call)) relay.parameter({ name, value });
  } else {
    const stream = connect.stream({ url: runtime.url });
    for (const [name, value] of withoutContinuations(parametersOf(call))) {
      for (const piece of pieces(name, value)) stream.parameter(piece);
    }
  }
  return response.toString();
}

/** Outdial's parameters replace variables of the same name. */
function parametersOf({ callRequestId, prompt, firstMessage, variables }: CallBriefing): [string, string][] {
  const all = new Map(
    Object.entries(variables).map(([name, value]) => [
      legal(name),
      legal(typeof value === 'string' ? value : JSON.stringify(value)),
    ]),
  );
  for (const [name, value] of Object.entries({ callRequestId, prompt, firstMessage })) {
    all.set(name, legal(value));
  }
  return [...all];
}

/**
 * Removes characters that XML cannot represent. A single such character makes the whole document unreadable.
 */
function legal(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '');
}

/**
 * Removes variables that the receiver would take for the continuation of another parameter, such as
 * `prompt.2`.
 */
function withoutContinuations(parameters: [string, string][]): [string, string][] {
  const names = new Set(parameters.map(([name]) => name));
  return parameters.filter(([name]) => {
    const continued = /^(.*)\.(\d+)$/s.exec(name);
    return continued === null || Number(continued[2]) < 2 || !names.has(continued[1] ?? '');
  });
}

/** A value that is too long for one parameter continues in `name.2`, `name.3` and so on. */
function pieces(name: string, value: string): { name: string; value: string }[] {
  const found: { name: string; value: string }[] = [];
  let rest = value;
  do {
    const numbered = found.length === 0 ? name : `${name}.${found.length + 1}`;
    const room = MAX_STREAM_PARAMETER - Buffer.byteLength(numbered);
    // A name that leaves no room for a value cannot be sent at all.
    if (room < 4) break;
    const piece = beginningOf(rest, room);
    found.push({ name: numbered, value: piece });
    rest = rest.slice(piece.length);
  } while (rest !== '');
  return found;
}

/** The longest beginning of a text that fits into `bytes`, without cutting a character in two. */
function beginningOf(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
