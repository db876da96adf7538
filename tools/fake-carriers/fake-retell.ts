import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signRetell } from '../../src/carriers/retell/retell-signature.js';

export const RETELL_KEY = 'key_0123456789abcdef_of_the_tests';
export const RETELL_AGENT = 'agent_0123456789';
/** Retell's own patience with the receiver of its reports. */
const REPORT_TIMEOUT_MS = 10_000;

/** One request as the fake received it. */
export interface SeenByRetell {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** A call as Retell's API shows it. */
export interface FakeRetellCall extends Record<string, unknown> {
  call_id: string;
  call_status: string;
  from_number: string;
  to_number: string;
  metadata: Record<string, string>;
}

/** What the fake does with a dial, instead of answering 201. The call exists unless it says otherwise. */
export type RetellDialBehaviour = (
  request: SeenByRetell,
  response: ServerResponse,
  call: FakeRetellCall,
) => void;

interface KeptCall {
  call: FakeRetellCall;
  /** The account, by its API key. */
  key: string;
  webhookUrl: string;
}

/** Retell's API as far as Outdial uses it, over real HTTP, with signed reports to the address of each call. */
export class FakeRetell {
  readonly seen: SeenByRetell[] = [];
  /** The keys of accounts, each with the key that signs its reports. */
  readonly keys = new Map([[RETELL_KEY, RETELL_KEY]]);
  numbers: string[] = [];
  /** Imported numbers without a termination URI. */
  silentNumbers: string[] = [];
  agents: string[] = [RETELL_AGENT];
  onDial: RetellDialBehaviour | null = null;
  private readonly kept: KeptCall[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void this.handle(request, response).catch(() => request.socket.destroy());
    });
  }

  static async start(port = 0): Promise<FakeRetell> {
    const fake = new FakeRetell();
    await new Promise<void>((resolve) => fake.server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests that would make a telephone ring. */
  get dials(): SeenByRetell[] {
    return this.seen.filter(({ path }) => path === '/v2/create-phone-call');
  }

  dialsTo(to: string): SeenByRetell[] {
    return this.dials.filter(({ body }) => body.to_number === to);
  }

  callTo(to: string): FakeRetellCall {
    const kept = this.kept.find(({ call }) => call.to_number === to);
    if (kept === undefined) throw new Error(`no call to ${to}`);
    return kept.call;
  }

  /** Takes a call out of what the API shows. */
  hide(call: FakeRetellCall): void {
    const index = this.kept.findIndex((one) => one.call === call);
    if (index >= 0) this.kept.splice(index, 1);
  }

  /** Shows a call that was hidden. */
  show(call: FakeRetellCall, key: string, webhookUrl: string): void {
    if (!this.kept.some((one) => one.call === call)) this.kept.push({ call, key, webhookUrl });
  }

  /**
   * Posts a signed report about a call, as Retell does. It goes to the address that the dial named, but by way of
   * `apiUrl`, as a proxy would pass it on.
   *
   * @param fields what the call has become. @param key signs instead of the account's own.
   */
  async report(
    call: FakeRetellCall,
    event: string,
    fields: Record<string, unknown>,
    apiUrl: string,
    { key, at = Date.now() }: { key?: string; at?: number } = {},
  ): Promise<Response> {
    Object.assign(call, fields);
    const kept = this.kept.find((one) => one.call.call_id === call.call_id);
    if (kept === undefined) throw new Error('no such call');
    const body = JSON.stringify({ event, call });
    return postReport(
      `${apiUrl}${new URL(kept.webhookUrl).pathname}`,
      body,
      key ?? this.keys.get(kept.key) ?? '',
      at,
    );
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
    const { pathname: path } = new URL(url, 'http://fake');
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const seen = { method, path, headers, body };
    this.seen.push(seen);
    const key = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!this.keys.has(key) && ![...this.keys.values()].includes(key)) {
      return refuseByRetell(response, 401, 'API key is missing or invalid.');
    }
    const route = `${method} ${path.replace(/(?<=^\/(?:v2\/)?(?:get-call|stop-call|delete-call|get-agent|get-phone-number)\/).+$/, '*')}`;
    const last = decodeURIComponent(path.split('/').at(-1) ?? '');
    switch (route) {
      case 'POST /v2/create-phone-call':
        return this.dial(seen, key, response);
      case 'GET /v2/get-call/*':
        return this.answerCall(last, key, response);
      case 'POST /v2/list-calls':
        return answerJson(response, 200, this.listed(body, key));
      case 'DELETE /v2/delete-call/*':
        return this.delete(last, key, response);
      case 'POST /v2/stop-call/*':
        return this.stop(last, key, response);
      case 'GET /get-concurrency':
        return answerJson(response, 200, { current_concurrency: 1, concurrency_limit: 20 });
      case 'GET /get-agent/*':
        if (!this.agents.includes(last)) return refuseByRetell(response, 404, 'Agent not found.');
        return answerJson(response, 200, { agent_id: last });
      case 'GET /get-phone-number/*':
        if (this.silentNumbers.includes(last))
          return answerJson(response, 200, { phone_number: last, phone_number_type: 'custom' });
        if (!this.numbers.includes(last)) return refuseByRetell(response, 404, 'Item not found.');
        return answerJson(response, 200, { phone_number: last, phone_number_type: 'retell-twilio' });
      default:
        return refuseByRetell(response, 404, 'Cannot find this route.');
    }
  }

  private dial(seen: SeenByRetell, key: string, response: ServerResponse): void {
    const { from_number: from, to_number: to, metadata, agent_override: override } = seen.body;
    const call: FakeRetellCall = {
      call_type: 'phone_call',
      direction: 'outbound',
      call_id: `call_${randomBytes(14).toString('hex')}`,
      agent_id: String(seen.body.override_agent_id),
      agent_version: 0,
      call_status: 'registered',
      from_number: String(from),
      to_number: String(to),
      metadata: metadata as Record<string, string>,
    };
    const { agent } = override as { agent: { webhook_url: string } };
    this.show(call, key, agent.webhook_url);
    if (this.onDial !== null) return this.onDial(seen, response, call);
    answerJson(response, 201, call);
  }

  private ofAccount(key: string): FakeRetellCall[] {
    return this.kept.filter((one) => one.key === key).map(({ call }) => call);
  }

  private answerCall(id: string, key: string, response: ServerResponse): void {
    const call = this.ofAccount(key).find(({ call_id }) => call_id === id);
    if (call === undefined) return refuseByRetell(response, 422, 'Cannot find requested asset.');
    answerJson(response, 200, call);
  }

  private listed(body: Record<string, unknown>, key: string): FakeRetellCall[] {
    const { to_number: to, from_number: from } = (body.filter_criteria ?? {}) as Record<string, string[]>;
    return this.ofAccount(key)
      .filter((call) => (to?.includes(call.to_number) ?? true) && (from?.includes(call.from_number) ?? true))
      .reverse();
  }

  private delete(id: string, key: string, response: ServerResponse): void {
    const call = this.ofAccount(key).find(({ call_id }) => call_id === id);
    if (call === undefined) return refuseByRetell(response, 422, 'Cannot find requested asset.');
    this.hide(call);
    response.writeHead(204).end();
  }

  private stop(id: string, key: string, response: ServerResponse): void {
    const call = this.ofAccount(key).find(({ call_id }) => call_id === id);
    if (call === undefined || !['registered', 'ongoing'].includes(call.call_status)) {
      return refuseByRetell(response, 422, 'The call is not ongoing.');
    }
    Object.assign(call, {
      call_status: 'ended',
      disconnection_reason: 'agent_hangup',
      end_timestamp: Date.now(),
    });
    response.writeHead(204).end();
  }
}

/** Posts a report with the signature of a key. */
export function postReport(url: string, body: string, key: string, at = Date.now()): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-retell-signature': signRetell(key, body, at) },
    body,
    signal: AbortSignal.timeout(REPORT_TIMEOUT_MS),
  });
}

/** An error in Retell's form. */
export function refuseByRetell(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  answerJson(response, status, { status: 'error', message }, headers);
}

export function answerJson(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
