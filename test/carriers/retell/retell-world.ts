import { type AddressInfo } from 'node:net';
import { type CarrierAccountResource } from '../../../src/carrier-accounts/carrier-account.dto.js';
import { FakeRetell, type FakeRetellCall } from '../../../tools/fake-carriers/fake-retell.js';
import { nextNumber, type Row } from '../../support/builders.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { bearer, type CallRow, Calling } from '../../support/calling.js';
import { eventually } from '../../support/eventually.js';
import { RETELL_SETTINGS } from './retell-options.js';

export const SECRETS_KEY = 'secrets-key-of-the-tests';
export const PUBLIC_URL = 'https://calls.example.com';

export interface Placed {
  caller: Caller;
  phoneNumber: string;
  id: string;
}

/** API and worker without an account at Retell of their own, with Retell's API beside them. */
export class RetellWorld {
  private constructor(
    readonly retell: FakeRetell,
    readonly calling: Calling,
  ) {}

  static async start(): Promise<RetellWorld> {
    const retell = await FakeRetell.start();
    const calling = await Calling.start({
      retellApiUrl: retell.url,
      publicUrl: PUBLIC_URL,
      secretsKey: SECRETS_KEY,
    });
    return new RetellWorld(retell, calling);
  }

  async close(): Promise<void> {
    await this.calling.close();
    await this.retell.close();
  }

  get apiUrl(): string {
    const server = this.calling.api.getHttpServer();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Creates an account of a team with its key. Retell knows the credentials. */
  async account(
    caller: Caller,
    credentials: { apiKey: string; webhookKey?: string },
  ): Promise<CarrierAccountResource> {
    this.retell.keys.set(credentials.apiKey, credentials.webhookKey ?? credentials.apiKey);
    const answer = await this.calling
      .http()
      .post('/api/carrier-accounts')
      .set(bearer(caller.apiKey))
      .send({ name: 'Main', carrier: 'retell', credentials });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body as CarrierAccountResource;
  }

  /** A team with an account of its own, and an agent that names it. */
  async caller(
    apiKey: string,
    { webhookKey, settings = {} }: { webhookKey?: string; settings?: Row } = {},
  ): Promise<{ caller: Caller; account: CarrierAccountResource }> {
    const caller = await buildCaller(this.calling.db);
    const account = await this.account(caller, { apiKey, ...(webhookKey && { webhookKey }) });
    await this.calling.operated('patch', `/teams/${caller.teamId}/voice-agents/${caller.agentId}`, {
      carrier: 'retell',
      carrierAccountId: account.id,
      carrierSettings: { ...RETELL_SETTINGS, ...settings },
    });
    return { caller, account };
  }

  /** A call that Retell has been asked for. */
  async place(caller: Caller, body: object = {}): Promise<Placed> {
    const phoneNumber = nextNumber();
    const id = await this.calling.accepted(caller, { phoneNumber, ...body });
    await eventually(
      () => Promise.resolve(this.retell.dialsTo(phoneNumber).length),
      (dials) => dials > 0,
    );
    return { caller, phoneNumber, id };
  }

  callOf({ phoneNumber }: Placed): FakeRetellCall {
    return this.retell.callTo(phoneNumber);
  }

  /** What Retell reports of the one call to a number; gives the status of the API's answer. */
  async report(
    placed: Placed,
    event: string,
    fields: Record<string, unknown>,
    more: { key?: string; at?: number } = {},
  ): Promise<number> {
    const { status } = await this.retell.report(this.callOf(placed), event, fields, this.apiUrl, more);
    return status;
  }

  until({ id }: Placed, status: string): Promise<CallRow> {
    return eventually(
      () => this.calling.row(id),
      (row) => row.status === status,
    );
  }
}
