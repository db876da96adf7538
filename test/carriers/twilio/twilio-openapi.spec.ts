import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createClientFromOperations, type PrismHttp } from '@stoplight/prism-http/dist/client';
import { findCallBounded, placeCallBounded } from '../../../src/carriers/bounded.js';
import { TwilioCarrier } from '../../../src/carriers/twilio/twilio.carrier.js';
import { aQuery } from '../support.js';
import { RELAY, twilioDial, twilioOptions } from './twilio-options.js';

// Twilio's own description of its API, which Prism holds our requests against. It is not part of this
// repository.
const DOCUMENT = join(__dirname, '../../../../shared/carriers/twilio-calls.openapi.json');
const known = existsSync(DOCUMENT);
if (!known) process.stderr.write(`Twilio's OpenAPI document is not at ${DOCUMENT}: its tests are skipped\n`);

const CREATE = '/2010-04-01/Accounts/{AccountSid}/Calls.json';

interface Seen {
  status: number;
  violations: unknown;
}

/** Twilio as its document describes it, played by Prism over HTTP. */
class PrismTwilio {
  readonly seen: Seen[] = [];
  private constructor(
    private readonly prism: PrismHttp,
    private readonly server: Server,
  ) {}

  static async start(): Promise<PrismTwilio> {
    const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document;
    // OpenAPI's default for lists in forms, in so many words: Prism reads no repeated key without them.
    const form = document.paths[CREATE].post.requestBody.content['application/x-www-form-urlencoded'];
    if (form) form.encoding = { StatusCallbackEvent: { style: 'form', explode: true } };
    const prism = createClientFromOperations(await getHttpOperationsFromSpec(document), {
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
      isProxy: false,
      upstreamProxy: undefined,
      logger: SILENT as never,
    });
    const server = createServer((request, response) => {
      void twilio.answer(request).then(({ status, data }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
      });
    });
    const twilio: PrismTwilio = new PrismTwilio(prism, server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return twilio;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  async answer(request: IncomingMessage): Promise<{ status: number; data: unknown }> {
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    const headers = request.headers as Record<string, string>;
    const method = request.method?.toLowerCase() as 'get' | 'post';
    try {
      const { status, data, violations } = await this.prism.request(request.url ?? '', {
        method,
        headers,
        ...(body !== '' && { body }),
      });
      this.seen.push({ status, violations: violations.input });
      return { status, data };
    } catch (error) {
      const { status = 500, detail, validation } = error as { status?: number } & Record<string, unknown>;
      this.seen.push({ status, violations: validation ?? detail });
      return { status, data: { status, code: 20001, message: 'not as documented' } };
    }
  }
}

interface Document {
  paths: Record<typeof CREATE, { post: { requestBody: { content: Record<string, { encoding?: object }> } } }>;
}

const nothing = () => undefined;
const SILENT = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  success: nothing,
  child: () => SILENT,
} as const satisfies Record<string, unknown>;

const describeWhereKnown = known ? describe : describe.skip;

describeWhereKnown('by Twilio’s own OpenAPI document', () => {
  let twilio: PrismTwilio;
  let carrier: TwilioCarrier;
  beforeEach(async () => {
    twilio = await PrismTwilio.start();
    carrier = new TwilioCarrier(twilioOptions(twilio.url));
  });
  afterEach(() => twilio.close());
  const faultless = (status: number) => ({ status, violations: [] });

  test.each([
    ['a relay', RELAY],
    ['a media stream', { mediaStreamUrl: 'wss://agent.example.com/media' }],
    ['the agent’s own TwiML', { twimlUrl: 'https://agent.example.com/twiml', ringTimeoutSeconds: 30 }],
    ['detection in the background', { ...RELAY, machineDetection: 'Enable' }],
    ['detection until the beep', { ...RELAY, machineDetection: 'DetectMessageEnd' }],
  ])('a dial with %s is valid', async (_, carrierSettings) => {
    const variables = { name: 'Zoë & <Söhne>', order: 7 };
    // Prism makes up an answer, which has no id of a call: the request is what matters here.
    const result = await placeCallBounded(carrier, twilioDial({ carrierSettings, variables }));
    expect(twilio.seen).toEqual([faultless(201)]);
    expect(['accepted', 'unknown']).toContain(result.kind);
  });

  test('a dial with a URL of TwiML is valid', async () => {
    await placeCallBounded(carrier, twilioDial({ prompt: 'x'.repeat(5_000) }));
    expect(twilio.seen).toEqual([faultless(201)]);
  });

  test('look-ups by numbers and by id are valid', async () => {
    await findCallBounded(carrier, aQuery());
    await findCallBounded(carrier, { ...aQuery(), carrierCallId: `CA${'0'.repeat(32)}` });
    expect(twilio.seen).toEqual([faultless(200), faultless(200)]);
  });

  test('an invalid request is detected', async () => {
    const post = (form: Record<string, string>, headers: Record<string, string>) =>
      fetch(`${twilio.url}/2010-04-01/Accounts/AC${'0'.repeat(32)}/Calls.json`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form),
      });
    const authorization = 'Basic eDp5';
    expect((await post({ To: '+14155550100' }, { authorization })).status).toBe(422);
    expect((await post({ To: '+1', From: '+2', TimeLimit: 'long' }, { authorization })).status).toBe(422);
    expect((await post({ To: '+1', From: '+2' }, {})).status).toBe(401);
  });
});
