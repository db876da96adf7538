import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';

export const ACCOUNT_SID = `AC${'0123456789abcdef'.repeat(2)}`;
export const AUTH_TOKEN = 'auth-token-of-the-tests';
/** Twilio's own patience. */
const CALLBACK_TIMEOUT_MS = 15_000;
export const PUBLIC_URL = 'https://calls.example.com';

/** One request as the fake received it. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
  headers: IncomingMessage['headers'];
}

/** A call as Twilio's API shows it. */
export interface FakeCall {
  sid: string;
  to: string;
  from: string;
  status: string;
  direction: string;
  date_created: string;
  date_updated: string;
  start_time: string | null;
  end_time: string | null;
  duration: string | null;
  answered_by: string | null;
  parent_call_sid: string | null;
}

/** What the fake does with a dial, instead of answering 201. The call exists unless it says otherwise. */
export type DialBehaviour = (request: SeenRequest, response: ServerResponse, call: FakeCall) => void;

export const rfc2822 = (at: Date) => at.toUTCString().replace('GMT', '+0000');

/**
 * Twilio's API as far as Outdial uses it, over real HTTP, with signed callbacks to the address that asked for
 * them.
 */
export class FakeTwilio {
  readonly seen: SeenRequest[] = [];
  readonly calls: FakeCall[] = [];
  /** The addresses that Twilio says it has asked for a call. */
  readonly events = new Map<string, string[]>();
  numbers: string[] = [];
  callerIds: string[] = [];
  onDial: DialBehaviour | null = null;
  /** Whether calls cannot be read for now. */
  refusesReads = false;
  private readonly forms = new Map<string, URLSearchParams>();
  private readonly server: Server;
  private count = 0;

  private constructor() {
    this.server = createServer((request, response) => {
      void this.handle(request, response);
    });
  }

  static async start(port = 0): Promise<FakeTwilio> {
    const fake = new FakeTwilio();
    await new Promise<void>((resolve) => fake.server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests that would make a telephone ring. */
  get dials(): SeenRequest[] {
    return this.seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/Calls.json'));
  }

  dialsTo(to: string): SeenRequest[] {
    return this.dials.filter(({ form }) => form.get('To') === to);
  }

  /** A call that was not requested by Outdial. */
  addCall(call: Partial<FakeCall> & Pick<FakeCall, 'to' | 'from'>): FakeCall {
    this.count += 1;
    const now = rfc2822(new Date());
    const added: FakeCall = {
      sid: `CA${String(this.count).padStart(32, '0')}`,
      status: 'queued',
      direction: 'outbound-api',
      date_created: now,
      date_updated: now,
      start_time: now,
      end_time: null,
      duration: null,
      answered_by: null,
      parent_call_sid: null,
      ...call,
    };
    this.calls.push(added);
    return added;
  }

  callTo(to: string): FakeCall {
    const call = this.calls.find((known) => known.to === to);
    if (call === undefined) throw new Error(`no call to ${to}`);
    return call;
  }

  /**
   * Posts a signed callback for a call, as Twilio does. It goes to the address that the dial named, but by
   * way of `apiUrl`, as a proxy would pass it on.
   */
  async report(
    call: FakeCall,
    fields: Record<string, string>,
    apiUrl: string,
    address: 'StatusCallback' | 'AsyncAmdStatusCallback' | 'Url' = 'StatusCallback',
  ): Promise<Response> {
    const target = this.forms.get(call.sid)?.get(address);
    if (!target) throw new Error(`the dial named no ${address}`);
    const url = new URL(target);
    url.hash = '';
    const form = { CallSid: call.sid, AccountSid: ACCOUNT_SID, To: call.to, From: call.from, ...fields };
    return fetch(`${apiUrl}${url.pathname}${url.search}`, {
      method: 'POST',
      headers: { 'X-Twilio-Signature': getExpectedTwilioSignature(AUTH_TOKEN, url.href, form) },
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS),
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
    const { method = '', headers } = request;
    const seen = { method, path, query, form: new URLSearchParams(text), headers };
    this.seen.push(seen);
    if (headers.authorization !== basic(ACCOUNT_SID, AUTH_TOKEN)) return refuse(response, 401, 20003);
    const resource = path.replace(`/2010-04-01/Accounts/${ACCOUNT_SID}`, '');
    if (method === 'POST' && resource === '/Calls.json') return this.dial(seen, response);
    const [, sid, events] = /^\/Calls\/(CA\w+)(\/Events)?\.json$/.exec(resource) ?? [];
    if (events && sid) return json(response, 200, this.eventsOf(sid));
    if (sid && this.refusesReads) return refuse(response, 503, 20503);
    if (sid) {
      const call = this.calls.find((known) => known.sid === sid);
      if (call && method === 'POST') return this.hangUp(call, seen.form.get('Status'), response);
      return call ? json(response, 200, call) : refuse(response, 404, 20404);
    }
    const page = this.page(resource, query);
    if (page !== null) return json(response, 200, page);
    refuse(response, 404, 20404);
  }

  private dial(seen: SeenRequest, response: ServerResponse): void {
    const call = this.addCall({ to: seen.form.get('To') ?? '', from: seen.form.get('From') ?? '' });
    this.forms.set(call.sid, seen.form);
    if (this.onDial !== null) return this.onDial(seen, response, call);
    json(response, 201, call);
  }

  /** `canceled` ends a call that was not answered, and `completed` any call. */
  private hangUp(call: FakeCall, status: string | null, response: ServerResponse): void {
    const isOpen = ['queued', 'initiated', 'ringing', 'in-progress'].includes(call.status);
    if (!isOpen) return refuse(response, 400, 21220);
    if (status === 'completed' || (status === 'canceled' && call.status !== 'in-progress')) {
      call.status = status;
      call.end_time = rfc2822(new Date());
    }
    json(response, 200, call);
  }

  private page(resource: string, query: URLSearchParams): object | null {
    const is = (name: string, value: string) => (query.get(name) ?? value) === value;
    switch (resource) {
      case '/Calls.json': {
        const after = Date.parse(query.get('StartTime>') ?? '1970-01-01');
        const listed = this.calls.filter(
          ({ to, from, start_time }) =>
            is('To', to) && is('From', from) && start_time !== null && Date.parse(start_time) >= after,
        );
        const size = Number(query.get('PageSize') ?? 50);
        const more = listed.length > size ? `${resource}?Page=1` : null;
        return { calls: listed.slice(0, size), next_page_uri: more };
      }
      case '.json':
        return { sid: ACCOUNT_SID, status: 'active', type: 'Full' };
      case '/IncomingPhoneNumbers.json': {
        const known = this.numbers.filter((number) => is('PhoneNumber', number));
        const shown = known.map((phone_number) => ({ phone_number, capabilities: { voice: true } }));
        return { incoming_phone_numbers: shown };
      }
      case '/OutgoingCallerIds.json': {
        const known = this.callerIds.filter((number) => is('PhoneNumber', number));
        return { outgoing_caller_ids: known.map((phone_number) => ({ phone_number })) };
      }
      default:
        return null;
    }
  }

  private eventsOf(sid: string): object {
    const events = (this.events.get(sid) ?? []).map((url) => ({
      request: { url, method: 'POST' },
      response: {},
    }));
    return { events, next_page_uri: null };
  }
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** An error in Twilio's words. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  headers: Record<string, string> = {},
): void {
  json(response, status, { code, message: 'Refused +14155550100', more_info: '', status }, headers);
}

export function json(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
