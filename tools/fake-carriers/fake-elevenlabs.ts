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
import { signElevenLabs } from '../../src/carriers/elevenlabs/elevenlabs-signature.js';

export const ELEVENLABS_KEY = 'sk_0123456789abcdef_of_the_tests';
export const ELEVENLABS_SECRET = 'wsec_0123456789abcdef_of_the_tests';
export const ELEVENLABS_AGENT = 'agent_0123456789abcdefghij';
/** How long ElevenLabs waits for the receiver of its reports. */
const REPORT_TIMEOUT_MS = 20_000;

/** One request as the fake received it. */
export interface SeenByElevenLabs {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** A conversation as ElevenLabs' API shows it. */
export interface FakeConversation extends Record<string, unknown> {
  conversation_id: string;
  status: string;
  metadata: Record<string, unknown>;
  conversation_initiation_client_data: { user_id: string; dynamic_variables: Record<string, string> };
}

/** What the fake does with a dial, instead of answering 200. The conversation exists unless it says otherwise. */
export type ElevenLabsDialBehaviour = (
  request: SeenByElevenLabs,
  response: ServerResponse,
  conversation: FakeConversation,
) => void;

/** A webhook of a workspace. */
export interface FakeWebhook {
  /** The workspace, by its API key. */
  key: string;
  url: string;
  secret: string;
  isDisabled: boolean;
  /** The last report that was not taken; `at` in seconds. */
  failure: { status: number; at: number } | null;
}

interface KeptConversation {
  conversation: FakeConversation;
  to: string;
  /** The workspace, by its API key. */
  key: string;
}

/** ElevenLabs' API as far as Outdial uses it, over real HTTP, with signed reports of a workspace's webhook. */
export class FakeElevenLabs {
  readonly seen: SeenByElevenLabs[] = [];
  /** The keys of workspaces, each with the secret that signs its reports. */
  readonly keys = new Map([[ELEVENLABS_KEY, ELEVENLABS_SECRET]]);
  /** The numbers of every workspace. */
  numbers: string[] = [];
  /** Of these, those that cannot call out. */
  silentNumbers: string[] = [];
  /** The webhooks of workspaces, each with its key. */
  readonly webhooks: FakeWebhook[] = [];
  agents: string[] = [ELEVENLABS_AGENT];
  onDial: ElevenLabsDialBehaviour | null = null;
  private readonly kept: KeptConversation[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void this.handle(request, response).catch(() => request.socket.destroy());
    });
  }

  static async start(port = 0): Promise<FakeElevenLabs> {
    const fake = new FakeElevenLabs();
    await new Promise<void>((resolve) => fake.server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests that would make a telephone ring. */
  get dials(): SeenByElevenLabs[] {
    return this.seen.filter(({ path }) => path.endsWith('/outbound-call'));
  }

  dialsTo(to: string): SeenByElevenLabs[] {
    return this.dials.filter(({ body }) => body.to_number === to);
  }

  conversationWith(to: string): FakeConversation {
    const kept = this.kept.find((one) => one.to === to);
    if (kept === undefined) throw new Error(`no conversation with ${to}`);
    return kept.conversation;
  }

  /** Takes a conversation out of what the API shows. */
  hide({ conversation_id: id }: FakeConversation): void {
    const index = this.kept.findIndex((one) => one.conversation.conversation_id === id);
    if (index >= 0) this.kept.splice(index, 1);
  }

  /** Shows a conversation that was hidden. */
  show(conversation: FakeConversation, key: string, to: string): void {
    const id = conversation.conversation_id;
    if (!this.kept.some((one) => one.conversation.conversation_id === id))
      this.kept.push({ conversation, key, to });
  }

  /** Creates a webhook, and gives its secret, as ElevenLabs shows it once. */
  addWebhook(key: string, url: string): FakeWebhook {
    const webhook: FakeWebhook = {
      key,
      url,
      secret: `wsec_${randomBytes(24).toString('hex')}`,
      isDisabled: false,
      failure: null,
    };
    this.webhooks.push(webhook);
    return webhook;
  }

  /**
   * Posts a report to a webhook, signed with its secret, and keeps how a receiver refuses it.
   *
   * @param report as of {@link transcriptionOf}. @returns the status of the answer.
   */
  async report(webhook: FakeWebhook, report: object): Promise<number> {
    const answer = await postElevenLabsReport(webhook.url, JSON.stringify(report), webhook.secret);
    await answer.body?.cancel();
    if (!answer.ok) webhook.failure = { status: answer.status, at: Math.floor(Date.now() / 1_000) };
    return answer.status;
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
    const key = String(headers['xi-api-key'] ?? '');
    if (!this.keys.has(key)) return refuseByElevenLabs(response, 401, 'invalid_api_key');
    const route = `${method} ${path.replace(/(?<=^\/v1\/convai\/(?:conversations|agents)\/).+$/, '*')}`;
    const last = decodeURIComponent(path.split('/').at(-1) ?? '');
    switch (route) {
      case 'POST /v1/convai/twilio/outbound-call':
      case 'POST /v1/convai/sip-trunk/outbound-call':
        return this.dial(seen, key, response);
      case 'GET /v1/convai/conversations':
        return answerElevenLabs(response, 200, { conversations: this.listed(query, key), has_more: false });
      case 'GET /v1/convai/conversations/*':
      case 'DELETE /v1/convai/conversations/*':
        return this.withConversation(method, last, key, response);
      case 'GET /v1/convai/phone-numbers':
        return answerElevenLabs(
          response,
          200,
          this.numbers.map((number) => ({
            phone_number: number,
            phone_number_id: `phnum_${number.slice(1)}`,
            provider: 'twilio',
            supports_outbound: !this.silentNumbers.includes(number),
          })),
        );
      case 'GET /v1/workspace/webhooks':
        return answerElevenLabs(response, 200, {
          webhooks: this.webhooks
            .filter((webhook) => webhook.key === key)
            .map(({ url: webhook_url, isDisabled: is_disabled, failure }) => ({
              name: 'Outdial',
              webhook_url,
              is_disabled,
              is_auto_disabled: false,
              auth_type: 'hmac',
              most_recent_failure_error_code: failure?.status ?? null,
              most_recent_failure_timestamp: failure?.at ?? null,
            })),
        });
      case 'GET /v1/convai/agents/*':
        if (!this.agents.includes(last)) return refuseByElevenLabs(response, 404, 'agent_not_found');
        return answerElevenLabs(response, 200, { agent_id: last });
      default:
        return refuseByElevenLabs(response, 404, 'not_found');
    }
  }

  private dial(seen: SeenByElevenLabs, key: string, response: ServerResponse): void {
    const { agent_id, to_number, conversation_initiation_client_data: sent } = seen.body;
    const conversation: FakeConversation = {
      conversation_id: `conv_${randomBytes(12).toString('hex')}`,
      agent_id,
      status: 'initiated',
      transcript: [],
      metadata: { start_time_unix_secs: Math.floor(Date.now() / 1_000), call_duration_secs: 0 },
      analysis: null,
      conversation_initiation_client_data: sent as FakeConversation['conversation_initiation_client_data'],
    };
    this.show(conversation, key, String(to_number));
    if (this.onDial !== null) return this.onDial(seen, response, conversation);
    acceptByElevenLabs(response, conversation);
  }

  private ofWorkspace(key: string): FakeConversation[] {
    return this.kept.filter((one) => one.key === key).map(({ conversation }) => conversation);
  }

  private withConversation(method: string, id: string, key: string, response: ServerResponse): void {
    const conversation = this.ofWorkspace(key).find((one) => one.conversation_id === id);
    if (conversation === undefined) return refuseByElevenLabs(response, 404, 'conversation_not_found');
    if (method === 'DELETE') this.hide(conversation);
    answerElevenLabs(response, 200, method === 'DELETE' ? {} : conversation);
  }

  /** The list tells neither the user nor the variables. */
  private listed(query: URLSearchParams, key: string): object[] {
    const [agent, user] = [query.get('agent_id'), query.get('user_id')];
    return this.ofWorkspace(key)
      .filter((one) => agent === null || one.agent_id === agent)
      .filter((one) => user === null || one.conversation_initiation_client_data.user_id === user)
      .map(({ conversation_id, agent_id, status }) => ({ conversation_id, agent_id, status }));
  }
}

/** Posts a report with the signature of a secret. */
export function postElevenLabsReport(
  url: string,
  body: string,
  secret: string,
  at = Date.now(),
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'elevenlabs-signature': signElevenLabs(secret, body, at),
    },
    body,
    signal: AbortSignal.timeout(REPORT_TIMEOUT_MS),
  });
}

/** The report of a conversation's end. */
export function transcriptionOf(conversation: object): object {
  return {
    type: 'post_call_transcription',
    event_timestamp: Math.floor(Date.now() / 1_000),
    data: conversation,
  };
}

/** The report of a call that was not answered: it has none of Outdial's ids. @param body of its metadata. */
export function failureOf(
  { conversation_id, agent_id }: FakeConversation,
  failure_reason: string,
  body: object = {},
): object {
  return {
    type: 'call_initiation_failure',
    event_timestamp: Math.floor(Date.now() / 1_000),
    data: { conversation_id, agent_id, failure_reason, metadata: { type: 'twilio', body } },
  };
}

export function acceptByElevenLabs(response: ServerResponse, { conversation_id }: FakeConversation): void {
  const callSid = `CA${randomBytes(16).toString('hex')}`;
  answerElevenLabs(response, 200, { success: true, message: 'Success', conversation_id, callSid });
}

/** An error in ElevenLabs' form. */
export function refuseByElevenLabs(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  answerElevenLabs(response, status, { detail: { status: code, message: 'Refused.' } }, headers);
}

export function answerElevenLabs(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
