import { type AddressInfo } from 'node:net';
import { type CarrierAccountResource } from '../../../src/carrier-accounts/carrier-account.dto.js';
import {
  FakeElevenLabs,
  type FakeConversation,
  postElevenLabsReport,
  transcriptionOf,
} from '../../../tools/fake-carriers/fake-elevenlabs.js';
import { nextNumber, type Row } from '../../support/builders.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { bearer, type CallRow, Calling } from '../../support/calling.js';
import { eventually } from '../../support/eventually.js';
import { ELEVENLABS_SETTINGS } from './elevenlabs-options.js';

/** A team with an account of its own, and an agent that names it. */
export interface Workspace {
  caller: Caller;
  account: CarrierAccountResource;
  secret: string;
}

export interface Placed extends Workspace {
  phoneNumber: string;
  id: string;
}

/** API and worker without an account at ElevenLabs of their own, with ElevenLabs' API beside them. */
export class ElevenLabsWorld {
  private constructor(
    readonly elevenLabs: FakeElevenLabs,
    readonly calling: Calling,
  ) {}

  static async start(): Promise<ElevenLabsWorld> {
    const elevenLabs = await FakeElevenLabs.start();
    const calling = await Calling.start({
      elevenlabsApiUrl: elevenLabs.url,
      publicUrl: 'https://calls.example.com',
      secretsKey: 'secrets-key-of-the-tests',
    });
    return new ElevenLabsWorld(elevenLabs, calling);
  }

  async close(): Promise<void> {
    await this.calling.close();
    await this.elevenLabs.close();
  }

  /** The address of the reports of an account, by way of this process. */
  urlOf({ account }: Pick<Workspace, 'account'>): string {
    const server = this.calling.api.getHttpServer();
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/api/carriers/elevenlabs/accounts/${account.id}`;
  }

  async workspace(apiKey: string, secret: string, settings: Row = {}): Promise<Workspace> {
    this.elevenLabs.keys.set(apiKey, secret);
    const caller = await buildCaller(this.calling.db);
    this.elevenLabs.numbers.push(caller.callerNumber);
    const answer = await this.calling
      .http()
      .post('/api/carrier-accounts')
      .set(bearer(caller.apiKey))
      .send({
        name: 'Main',
        carrier: 'elevenlabs',
        credentials: { apiKey, ...(secret && { webhookSecret: secret }) },
      });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    const account = answer.body as CarrierAccountResource;
    await this.calling.operated('patch', `/teams/${caller.teamId}/voice-agents/${caller.agentId}`, {
      carrier: 'elevenlabs',
      carrierAccountId: account.id,
      carrierSettings: { ...ELEVENLABS_SETTINGS, ...settings },
    });
    return { caller, account, secret };
  }

  /** A call that ElevenLabs has been asked for. */
  async place(workspace: Workspace, body: object = {}): Promise<Placed> {
    const phoneNumber = nextNumber();
    const id = await this.calling.accepted(workspace.caller, { phoneNumber, ...body });
    await eventually(
      () => Promise.resolve(this.elevenLabs.dialsTo(phoneNumber).length),
      (dials) => dials > 0,
    );
    return { ...workspace, phoneNumber, id };
  }

  async inProgress(workspace: Workspace): Promise<Placed> {
    const placed = await this.place(workspace);
    await this.until(placed, 'in_progress');
    return placed;
  }

  conversationOf({ phoneNumber }: Placed): FakeConversation {
    return this.elevenLabs.conversationWith(phoneNumber);
  }

  /** Posts a signed report to the account of a call. @returns the status of the API's answer. */
  async report(
    placed: Placed,
    report: object,
    { secret = placed.secret, at }: { secret?: string; at?: number } = {},
  ): Promise<number> {
    const answer = await postElevenLabsReport(this.urlOf(placed), JSON.stringify(report), secret, at);
    await answer.body?.cancel();
    return answer.status;
  }

  /** The report of the end of a call's conversation. @param fields what it has become. */
  ended(placed: Placed, fields: Record<string, unknown> = {}): object {
    const now = Math.floor(Date.now() / 1_000);
    return transcriptionOf({
      ...this.conversationOf(placed),
      status: 'done',
      metadata: { start_time_unix_secs: now - 12, call_duration_secs: 12, termination_reason: '' },
      ...fields,
    });
  }

  until({ id }: Placed, status: string): Promise<CallRow> {
    return eventually(
      () => this.calling.row(id),
      (row) => row.status === status,
    );
  }
}
