import { type AddressInfo } from 'node:net';
import { type CarrierAccountResource } from '../../../src/carrier-accounts/carrier-account.dto.js';
import { type Configuration } from '../../../src/configuration.js';
import { FakeVapi, type FakeVapiCall } from '../../../tools/fake-carriers/fake-vapi.js';
import { nextNumber, type Row } from '../../support/builders.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { bearer, type CallRow, Calling } from '../../support/calling.js';
import { eventually } from '../../support/eventually.js';
import { VAPI_SETTINGS } from './vapi-options.js';

export const PUBLIC_URL = 'https://calls.example.com';

export interface Placed {
  caller: Caller;
  phoneNumber: string;
  id: string;
}

/** API and worker without an account at Vapi of their own, with Vapi's API beside them. */
export class VapiWorld {
  private constructor(
    readonly vapi: FakeVapi,
    readonly calling: Calling,
  ) {}

  static async start(overrides: Partial<Configuration> = {}): Promise<VapiWorld> {
    const vapi = await FakeVapi.start();
    const calling = await Calling.start({
      vapiApiUrl: vapi.url,
      publicUrl: PUBLIC_URL,
      secretsKey: 'secrets-key-of-the-tests',
      ...overrides,
    });
    return new VapiWorld(vapi, calling);
  }

  async close(): Promise<void> {
    await this.calling.close();
    await this.vapi.close();
  }

  get apiUrl(): string {
    const server = this.calling.api.getHttpServer();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A team with an account of its own, which has the team's caller ID, and an agent that names it. */
  async caller(
    apiKey: string,
    settings: Row = {},
  ): Promise<{ caller: Caller; account: CarrierAccountResource }> {
    this.vapi.keys.add(apiKey);
    const caller = await buildCaller(this.calling.db);
    this.vapi.numbers.push(caller.callerNumber);
    const answer = await this.calling
      .http()
      .post('/api/carrier-accounts')
      .set(bearer(caller.apiKey))
      .send({ name: 'Main', carrier: 'vapi', credentials: { apiKey } });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    const account = answer.body as CarrierAccountResource;
    await this.calling.operated('patch', `/teams/${caller.teamId}/voice-agents/${caller.agentId}`, {
      carrier: 'vapi',
      carrierAccountId: account.id,
      carrierSettings: { ...VAPI_SETTINGS, ...settings },
    });
    return { caller, account };
  }

  /** A call that Vapi has been asked for. */
  async place(caller: Caller, body: object = {}): Promise<Placed> {
    const phoneNumber = nextNumber();
    const id = await this.calling.accepted(caller, { phoneNumber, ...body });
    await eventually(
      () => Promise.resolve(this.vapi.dialsTo(phoneNumber).length),
      (dials) => dials > 0,
    );
    return { caller, phoneNumber, id };
  }

  callOf({ phoneNumber }: Placed): FakeVapiCall {
    return this.vapi.callTo(phoneNumber);
  }

  /**
   * What Vapi reports of the one call to a number.
   *
   * @param fields what the call has become. @returns the status of the API's answer.
   */
  async report(
    placed: Placed,
    message: Record<string, unknown>,
    fields: Record<string, unknown> = {},
    headers?: Record<string, string>,
  ): Promise<number> {
    const call = Object.assign(this.callOf(placed), fields);
    const answer = await this.vapi.report(call, message, this.apiUrl, headers);
    await answer.body?.cancel();
    return answer.status;
  }

  until({ id }: Placed, status: string): Promise<CallRow> {
    return eventually(
      () => this.calling.row(id),
      (row) => row.status === status,
    );
  }
}
