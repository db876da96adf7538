import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { Signature } from '../../src/carriers/http/signature.js';
import { signElevenLabs } from '../../src/carriers/elevenlabs/elevenlabs-signature.js';
import { signRetell } from '../../src/carriers/retell/retell-signature.js';
import { callRequestOf } from '../../src/carriers/vapi/vapi-call.js';
import { SECRET_HEADER, secretOf } from '../../src/carriers/vapi/vapi-secret.js';
import { type Configuration } from '../../src/configuration.js';
import { type OpenApiDocument } from '../../src/http/openapi/document.js';
import { API_KEY, API_SECRET } from '../../tools/fake-carriers/fake-livekit.js';
import { livekitToken } from '../../tools/fake-carriers/fake-webhooks.js';
import { OPERATOR_TOKEN } from '../support/app.js';
import { Conformance, type KnownOperation } from './conformance.js';
import { ACCOUNT_KEY, type PlantedTeam } from './planted-team.js';
import { pathOf, type Valid, validRequests } from './valid-requests.js';

export const CALLBACK_TOKEN = 'callback-token-of-the-tests';
/** Of the HTTP carrier. */
export const SIGNING_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
export const METRICS_TOKEN = 'metrics-token-of-the-tests';
/** A deployment that Twilio reports to; what asks its public address gets to the API. */
export const PUBLIC_URL = 'https://outdial.example.com';
export const TWILIO = {
  publicUrl: PUBLIC_URL,
  twilioAccountSid: `AC${'0'.repeat(32)}`,
  twilioAuthToken: 'auth-token-of-the-tests',
  // Nothing listens there.
  twilioApiUrl: 'http://127.0.0.1:9',
} satisfies Partial<Configuration>;
/** A deployment that every kind of credentials opens something of. */
export const PROBED = {
  simulatorCallbackToken: CALLBACK_TOKEN,
  metricsToken: METRICS_TOKEN,
  erasureKey: 'erasure-key-of-the-tests',
  httpCarrierSecret: SIGNING_SECRET,
  ...TWILIO,
  livekitUrl: 'http://127.0.0.1:9',
  livekitApiKey: API_KEY,
  livekitApiSecret: API_SECRET,
  retellApiKey: ACCOUNT_KEY,
  retellApiUrl: 'http://127.0.0.1:9',
  elevenlabsApiKey: ACCOUNT_KEY,
  elevenlabsWebhookSecret: ACCOUNT_KEY,
  elevenlabsApiUrl: 'http://127.0.0.1:9',
  vapiApiKey: ACCOUNT_KEY,
  vapiApiUrl: 'http://127.0.0.1:9',
  secretsKey: 'secrets-key-of-the-tests',
} satisfies Partial<Configuration>;
/** An id that nothing has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** How a request differs from the valid one; a body that is text is sent as it is. */
export type Changed = Omit<Valid, 'body'> & {
  body?: object | string;
  headers?: Record<string, string>;
  token?: string;
};

/**
 * Sends requests for operations of the document; an answer that the document does not allow fails the test.
 */
export class Prober {
  readonly conformance: Conformance;

  constructor(
    private readonly app: NestExpressApplication,
    document: OpenApiDocument,
  ) {
    this.conformance = new Conformance(document);
  }

  get operations(): KnownOperation[] {
    return this.conformance.operations;
  }

  named(operationId: string): KnownOperation {
    const known = this.operations.find(({ operation }) => operation.operationId === operationId);
    if (known === undefined) throw new Error(`no operation ${operationId}`);
    return known;
  }

  /** A valid request of the team's, but for what `changed` says. */
  async ask(
    known: KnownOperation,
    team: PlantedTeam,
    changed: Changed = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const valid = validRequests(team)[known.operation.operationId];
    if (valid === undefined) throw new Error(`no valid request for ${known.operation.operationId}`);
    const { headers = {}, token = tokenFor(known, team), ...parts } = changed;
    const body = typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body ?? valid.body);
    const address = pathOf(known.path, team, {
      path: { ...valid.path, ...parts.path },
      query: parts.query ?? valid.query,
    });
    const request = supertest(this.app.getHttpServer())[known.method as 'get'](address);
    const [type = 'application/json'] = Object.keys(known.operation.requestBody?.content ?? {});
    const sent = type === FORM && body !== undefined ? asForm(body) : body;
    // What is signed is the request itself, so that its credentials are made last.
    if (token !== '') void request.set(await credentialsFor(known, token, address, sent));
    if (sent !== undefined) void request.set('Content-Type', type).send(sent);
    const answer = await request.set(headers);
    const fault = this.conformance.fault(known, {
      status: answer.status,
      headers: answer.headers,
      text: answer.text ?? '',
    });
    if (fault !== null) throw new Error(fault);
    if (answer.status < 300 && body !== undefined && known.operation.requestBody) {
      // What the API takes, the document must not forbid.
      const value =
        type === FORM ? Object.fromEntries(new URLSearchParams(sent)) : (JSON.parse(body) as unknown);
      expect([body, this.conformance.acceptsBody(known, value)]).toEqual([body, true]);
    }
    return { status: answer.status, body: answer.body as Record<string, unknown> };
  }

  /** Sends the request with an unknown id in the address. */
  askWithUnknownId(known: KnownOperation, team: PlantedTeam, name: string) {
    return this.ask(known, team, { path: { [name]: name === 'phoneNumber' ? '+14155559999' : UNKNOWN_ID } });
  }
}

const FORM = 'application/x-www-form-urlencoded';

/** JSON's fields as a form; what is no JSON goes as it is. */
function asForm(body: string): string {
  try {
    const fields: unknown = JSON.parse(body);
    return typeof fields === 'object'
      ? new URLSearchParams(fields as Record<string, string>).toString()
      : body;
  } catch {
    return body;
  }
}

/** @param token what {@link tokenFor} gives, or another. */
async function credentialsFor(
  { operation }: KnownOperation,
  token: string,
  address: string,
  body = '',
): Promise<Record<string, string>> {
  const asks = (scheme: string) => operation.security.some((choice) => scheme in choice);
  if (asks('webhookSignature')) {
    const secret = token === SIGNING_SECRET ? token : `whsec_${Buffer.alloc(24).toString('base64')}`;
    return new Signature(secret).headersFor('probe', body);
  }
  if (asks('twilioSignature')) return { 'X-Twilio-Signature': twilioSignature(token, address, body) };
  if (asks('livekitSignature')) {
    return { Authorization: token === API_SECRET ? await livekitToken(body, API_KEY, token) : token };
  }
  if (asks('retellSignature')) return { 'X-Retell-Signature': signRetell(token, body) };
  if (asks('elevenLabsSignature')) return { 'ElevenLabs-Signature': signElevenLabs(token, body) };
  if (asks('vapiSecret')) return { [SECRET_HEADER]: secretOf(token, vapiCallIn(body)) };
  return { Authorization: `Bearer ${token}` };
}

/** The call request of Vapi's call in a report; an unknown one if the report has none. */
function vapiCallIn(report: string): string {
  try {
    const { message } = JSON.parse(report) as { message: { call: Record<string, unknown> } };
    return callRequestOf(message.call) ?? UNKNOWN_ID;
  } catch {
    return UNKNOWN_ID;
  }
}

function twilioSignature(token: string, address: string, form: string): string {
  const fields = Object.fromEntries(new URLSearchParams(form));
  return getExpectedTwilioSignature(token, `${PUBLIC_URL}${address}`, fields);
}

/** The credentials that an operation asks for. */
function tokenFor({ operation }: KnownOperation, team: PlantedTeam): string {
  const [scheme] = operation.security.flatMap((choice) => Object.keys(choice));
  switch (scheme) {
    case 'teamKey':
      return team.apiKey;
    case 'operatorToken':
      return OPERATOR_TOKEN;
    case 'webhookSignature':
      return SIGNING_SECRET;
    case 'callbackToken':
      return CALLBACK_TOKEN;
    case 'metricsToken':
      return METRICS_TOKEN;
    case 'twilioSignature':
      return TWILIO.twilioAuthToken;
    case 'livekitSignature':
      return API_SECRET;
    case 'retellSignature':
    case 'vapiSecret':
    case 'elevenLabsSignature':
      return ACCOUNT_KEY;
    case undefined:
      return '';
    default:
      throw new Error(`no token for ${scheme}`);
  }
}
