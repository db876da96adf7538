import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const VAPI_KEY = 'b1946ac9-2492-4d23-a77c-of-the-tests';
export const VAPI_ASSISTANT = '5b0a4a08-133c-4146-9315-0984f8c6be80';
/** Vapi's own patience with the receiver of its reports. */
const REPORT_TIMEOUT_MS = 20_000;

/** One request as the fake received it. */
export interface SeenByVapi {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** A call as Vapi's API shows it. */
export interface FakeVapiCall extends Record<string, unknown> {
  id: string;
  name: string;
  status: string;
  createdAt: string;
  customer: { number: string };
}

/** What the fake does with a dial, instead of answering 201. The call exists unless it says otherwise. */
export type VapiDialBehaviour = (request: SeenByVapi, response: ServerResponse, call: FakeVapiCall) => void;

interface KeptCall {
  call: FakeVapiCall;
  /** The account, by its API key. */
  key: string;
  server: VapiServer;
}

/** Where the reports of one call go. */
export interface VapiServer {
  url: string;
  headers: Record<string, string>;
}

/** Vapi's API as far as Outdial uses it, over real HTTP, with reports to the address of each call. */
export class FakeVapi {
  readonly seen: SeenByVapi[] = [];
  /** The private keys of accounts. */
  readonly keys = new Set([VAPI_KEY]);
  /** The numbers of every account. */
  numbers: string[] = [];
  /** Of these, those that Vapi has blocked. */
  blocked: string[] = [];
  assistants: string[] = [VAPI_ASSISTANT];
  onDial: VapiDialBehaviour | null = null;
  private readonly kept: KeptCall[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void this.handle(request, response).catch(() => request.socket.destroy());
    });
  }

  static async start(port = 0): Promise<FakeVapi> {
    const fake = new FakeVapi();
    await new Promise<void>((resolve) => fake.server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests that would make a telephone ring. */
  get dials(): SeenByVapi[] {
    return this.seen.filter(({ method, path }) => method === 'POST' && path === '/call');
  }

  dialsTo(to: string): SeenByVapi[] {
    return this.dials.filter(({ body }) => (body.customer as { number: string }).number === to);
  }

  callTo(to: string): FakeVapiCall {
    const kept = this.kept.find(({ call }) => call.customer.number === to);
    if (kept === undefined) throw new Error(`no call to ${to}`);
    return kept.call;
  }

  /** Takes a call out of what the API shows. */
  hide(call: FakeVapiCall): void {
    const index = this.kept.findIndex((one) => one.call.id === call.id);
    if (index >= 0) this.kept.splice(index, 1);
  }

  /** Shows a call that was hidden. */
  show(call: FakeVapiCall, key: string, server: VapiServer): void {
    if (!this.kept.some((one) => one.call.id === call.id)) this.kept.push({ call, key, server });
  }

  /**
   * Posts a report about a call, as Vapi does. It goes to the address that the dial named, but by way of `apiUrl`, as
   * a proxy would pass it on.
   *
   * @param message its fields beside the call. @param headers instead of those that the dial named.
   */
  async report(
    call: FakeVapiCall,
    message: Record<string, unknown>,
    apiUrl: string,
    headers?: Record<string, string>,
  ): Promise<Response> {
    const kept = this.kept.find((one) => one.call.id === call.id);
    if (kept === undefined) throw new Error('no such call');
    const url = `${apiUrl}${new URL(kept.server.url).pathname}`;
    return postVapiReport(url, { message: { ...message, call } }, headers ?? kept.server.headers);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await buffer(request)).toString();
    const { method = '', headers, url = '/' } = request;
    const { pathname: path, searchParams: query } = new URL(url, 'http://fake');
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const seen = { method, path, headers, body };
    this.seen.push(seen);
    const key = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!this.keys.has(key)) return refuseByVapi(response, 401, 'Invalid Key.');
    const [, kind = '', id = '', control = ''] = path.split('/');
    switch (`${method} /${kind}${id && '/*'}${control && `/${control}`}`) {
      case 'POST /call':
        return this.dial(seen, key, response);
      case 'GET /call':
        return answerVapi(response, 200, this.listed(query, key));
      case 'GET /call/*':
        return this.withCall(id, key, response, (call) => answerVapi(response, 200, call));
      case 'DELETE /call/*':
        return this.withCall(id, key, response, (call) => {
          this.hide(call);
          answerVapi(response, 200, call);
        });
      case 'POST /call/*/control':
        return this.withCall(id, key, response, (call) => this.control(call, body, response));
      case 'GET /phone-number':
        return answerVapi(response, 200, this.listedNumbers(query));
      case 'GET /assistant/*':
        if (!this.assistants.includes(id)) return refuseByVapi(response, 404, 'Couldn’t find assistant.');
        return answerVapi(response, 200, { id });
      default:
        return refuseByVapi(response, 404, `Cannot ${method} ${path}`);
    }
  }

  private dial(seen: SeenByVapi, key: string, response: ServerResponse): void {
    const { name, assistantId, phoneNumberId, customer, assistantOverrides } = seen.body;
    const id = randomUUID();
    const now = new Date().toISOString();
    const call: FakeVapiCall = {
      id,
      orgId: randomUUID(),
      type: 'outboundPhoneCall',
      name: String(name),
      status: 'queued',
      createdAt: now,
      updatedAt: now,
      assistantId,
      phoneNumberId,
      customer: customer as FakeVapiCall['customer'],
      monitor: { controlUrl: `${this.url}/call/${id}/control` },
    };
    this.show(call, key, (assistantOverrides as { server: VapiServer }).server);
    if (this.onDial !== null) return this.onDial(seen, response, call);
    answerVapi(response, 201, { ...call, subscriptionLimits: { concurrencyBlocked: false } });
  }

  private withCall(
    id: string,
    key: string,
    response: ServerResponse,
    then: (call: FakeVapiCall) => void,
  ): void {
    const kept = this.kept.find((one) => one.key === key && one.call.id === id);
    if (kept === undefined) return refuseByVapi(response, 404, 'Call not found.');
    then(kept.call);
  }

  private listed(query: URLSearchParams, key: string): FakeVapiCall[] {
    const assistant = query.get('assistantId');
    const from = query.get('createdAtGe') ?? '';
    const before = query.get('createdAtLt') ?? '9';
    return this.kept
      .filter((one) => one.key === key)
      .map(({ call }) => call)
      .filter((call) => assistant === null || call.assistantId === assistant)
      .filter(({ createdAt }) => createdAt >= from && createdAt < before)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, Number(query.get('limit') ?? 100));
  }

  private listedNumbers(query: URLSearchParams): object[] {
    return this.numbers.slice(0, Number(query.get('limit') ?? 100)).map((number) => ({
      id: `number-${number.slice(1)}`,
      number,
      provider: 'twilio',
      status: this.blocked.includes(number) ? 'blocked' : 'active',
    }));
  }

  private control(call: FakeVapiCall, { type }: Record<string, unknown>, response: ServerResponse): void {
    if (type !== 'end-call') return refuseByVapi(response, 400, 'Unknown control.');
    if (call.status === 'ended') return refuseByVapi(response, 404, 'The call has ended.');
    Object.assign(call, {
      status: 'ended',
      endedReason: 'manually-canceled',
      endedAt: new Date().toISOString(),
    });
    answerVapi(response, 200, { success: true });
  }
}

export function postVapiReport(
  url: string,
  body: object,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REPORT_TIMEOUT_MS),
  });
}

/** An error in Vapi's form. */
export function refuseByVapi(
  response: ServerResponse,
  statusCode: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  answerVapi(response, statusCode, { message, error: 'Refused', statusCode }, headers);
}

export function answerVapi(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
