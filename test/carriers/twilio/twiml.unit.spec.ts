import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseTwilioSettings } from '../../../src/carriers/twilio/twilio-settings.js';
import { type CallBriefing, twimlFor } from '../../../src/carriers/twilio/twiml.js';
import { callRequestId } from '../support.js';
import { anyText } from '../../support/text.js';

const RELAY = { kind: 'conversationRelay', url: 'wss://a.example/r?x=1&y=2', attributes: {} } as const;
const STREAM = { kind: 'mediaStream', url: 'wss://a.example/s' } as const;

type Attributes = Record<string, string>;
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name: string) => name === 'Parameter',
  htmlEntities: true,
});

/** What Twilio reads: the noun's attributes and its parameters. */
async function read(runtime: typeof RELAY | typeof STREAM, call: Partial<CallBriefing>) {
  const briefing = { callRequestId: callRequestId(1), prompt: '', firstMessage: '', variables: {}, ...call };
  const twiml = await twimlFor(runtime, briefing);
  expect(XMLValidator.validate(twiml)).toBe(true);
  const { Response } = parser.parse(twiml) as { Response: { Connect: Record<string, Attributes> } };
  const noun = runtime.kind === 'conversationRelay' ? 'ConversationRelay' : 'Stream';
  const { Parameter, ...attributes } = Response.Connect[noun] as Attributes & { Parameter?: Attributes[] };
  return { twiml, attributes, parameters: (Parameter ?? []).map(({ name, value }) => [name, value]) };
}

test('a relay gets the greeting, and everything else as parameters', async () => {
  const variables = { order: 7, vip: true, name: 'Zoë & "Söhne" <x>', items: [{ a: 1 }] };
  const { attributes, parameters } = await read(RELAY, {
    prompt: 'Be kind.',
    firstMessage: 'Hi!',
    variables,
  });
  expect(attributes).toEqual({ url: 'wss://a.example/r?x=1&y=2', welcomeGreeting: 'Hi!' });
  expect(Object.fromEntries(parameters)).toEqual({
    callRequestId: callRequestId(1),
    prompt: 'Be kind.',
    firstMessage: 'Hi!',
    order: '7',
    vip: 'true',
    name: 'Zoë & "Söhne" <x>',
    items: '[{"a":1}]',
  });
});

test('contains the agent’s relay settings, and no greeting without one', async () => {
  const parsed = parseTwilioSettings({
    conversationRelayUrl: 'wss://a.example',
    conversationRelay: { language: 'de-DE', voice: 'x' },
  });
  if (!parsed.ok || parsed.settings.runtime.kind === 'twimlUrl') throw new Error('not read');
  const { attributes } = await read(parsed.settings.runtime as typeof RELAY, {});
  expect(attributes).toEqual({ url: 'wss://a.example', language: 'de-DE', voice: 'x' });
});

test('keeps its own parameters beside variables of the same names', async () => {
  const variables = { callRequestId: 'forged', prompt: 'forged', firstMessage: 'forged' };
  const { parameters } = await read(RELAY, { prompt: 'ours', firstMessage: 'ours', variables });
  expect(parameters).toEqual([
    ['callRequestId', callRequestId(1)],
    ['prompt', 'ours'],
    ['firstMessage', 'ours'],
  ]);
});

test('continues long values of a stream in further parameters, none of them too long', async () => {
  const prompt = 'Grüße 😀 '.repeat(200);
  const { parameters } = await read(STREAM, { prompt });
  const pieces = parameters.filter(([name]) => name?.startsWith('prompt'));
  expect(pieces.map(([name]) => name)).toEqual([
    'prompt',
    ...pieces.slice(1).map((_, n) => `prompt.${n + 2}`),
  ]);
  expect(pieces.length).toBeGreaterThan(4);
  expect(pieces.map(([, value]) => value).join('')).toBe(prompt);
  for (const [name, value] of parameters) expect(Buffer.byteLength(`${name}${value}`)).toBeLessThan(500);
});

test('leaves out a variable of a stream that looks like the continuation of another parameter', async () => {
  const variables = {
    'prompt.2': 'forged',
    'callRequestId.2': 'forged',
    'firstMessage.10': 'forged',
    order: 'x'.repeat(600),
    'order.2': 'forged',
    'order.2.2': 'forged',
    'order.1': 'kept',
    'prompt.x': 'kept',
    'stranger.2': 'kept',
  };
  for (const prompt of ['short', 'long '.repeat(200)]) {
    const { parameters } = await read(STREAM, { prompt, variables });
    const names = parameters.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(parameters.some(([, value]) => value === 'forged')).toBe(false);
    expect(parameters.filter(([, value]) => value === 'kept')).toHaveLength(3);
    const said = parameters.filter(([name]) => /^prompt(\.\d+)?$/.test(name ?? ''));
    expect(said.map(([, value]) => value).join('')).toBe(prompt);
  }
  // A relay has no such parameters, and keeps the variable.
  const { parameters } = await read(RELAY, { prompt: 'short', variables: { 'prompt.2': 'kept' } });
  expect(parameters).toContainEqual(['prompt.2', 'kept']);
});

test('is valid XML with the text, whatever characters it has', async () => {
  const text = fc.oneof(
    anyText({ maxLength: 60 }),
    fc.constantFrom(
      '<',
      ']]>',
      '&amp;',
      '"',
      "'",
      '\u0000\u0001x',
      '\ud800',
      '\ufffe',
      '\n\t\r',
      '{{x}}',
      '&#0;',
    ),
  );
  // By the grammar of XML 1.0: what it calls a Char.
  const isChar = (code: number) =>
    [9, 10, 13].includes(code) ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    code >= 0x10000;
  const kept = (value: string) => [...value].filter((one) => isChar(one.codePointAt(0) ?? 0)).join('');
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      fc.dictionary(text, text, { maxKeys: 3 }),
      async (prompt, firstMessage, variables) => {
        const { parameters } = await read(RELAY, { prompt, firstMessage, variables });
        const said = Object.fromEntries(parameters) as Record<string, string>;
        expect(said.prompt).toBe(kept(prompt));
        expect(said.firstMessage).toBe(kept(firstMessage));
      },
    ),
    { numRuns: 500 },
  );
});

describe('settings', () => {
  const good = { conversationRelayUrl: 'wss://agent.example.com' };
  test.each([
    [{}, /exactly one of twimlUrl, conversationRelayUrl, mediaStreamUrl/],
    [{ ...good, twimlUrl: 'https://x.example' }, /exactly one of/],
    [
      { conversationRelayUrl: 'https://x.example' },
      /^carrierSettings\.conversationRelayUrl must be a URL that begins with wss:/,
    ],
    [{ mediaStreamUrl: 'wss://x.example/?a=1' }, /^carrierSettings\.mediaStreamUrl must have no query/],
    [{ mediaStreamUrl: 7 }, /^carrierSettings\.mediaStreamUrl must be a URL/],
    [{ twimlUrl: 'ftp://x.example' }, /^carrierSettings\.twimlUrl must be a URL that begins with https:/],
    [{ twimlUrl: 'https://user:hush@x.example' }, /^carrierSettings\.twimlUrl must hold no credentials/],
    [{ twimlUrl: 'https://:hush@x.example' }, /^carrierSettings\.twimlUrl must hold no credentials/],
    [
      { mediaStreamUrl: 'wss://:hush@x.example' },
      /^carrierSettings\.mediaStreamUrl must hold no credentials/,
    ],
    [
      { ...good, machineDetection: 'enable' },
      /^carrierSettings\.machineDetection must be one of off, Enable, DetectMessageEnd/,
    ],
    [
      { ...good, ringTimeoutSeconds: 4 },
      /^carrierSettings\.ringTimeoutSeconds must be a whole number from 5 to 600/,
    ],
    [{ ...good, ringTimeoutSeconds: '60' }, /^carrierSettings\.ringTimeoutSeconds/],
    [{ ...good, machineDetektion: 'Enable' }, /^carrierSettings may have/],
    [
      { ...good, conversationRelay: { url: 'wss://other.example' } },
      /^carrierSettings\.conversationRelay may/,
    ],
    [{ ...good, conversationRelay: { voice: 1 } }, /^carrierSettings\.conversationRelay may/],
    [{ twimlUrl: 'https://x.example', conversationRelay: {} }, /^carrierSettings\.conversationRelay may/],
  ])('%j are refused with the field', (settings, message) => {
    const parsed = parseTwilioSettings(settings);
    expect(parsed).toEqual({ ok: false, message: expect.stringMatching(message) as string });
    expect(JSON.stringify(parsed)).not.toContain('hush');
  });

  test('have defaults', () => {
    expect(parseTwilioSettings(good)).toEqual({
      ok: true,
      settings: {
        runtime: { kind: 'conversationRelay', url: good.conversationRelayUrl, attributes: {} },
        machineDetection: 'off',
        ringTimeoutSeconds: 60,
      },
    });
  });
});
