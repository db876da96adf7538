import { type AddressInfo } from 'node:net';
import { type CallRow, Calling } from '../../support/calling.js';
import { nextNumber, type Row } from '../../support/builders.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { eventually } from '../../support/eventually.js';
import {
  ACCOUNT_SID,
  AUTH_TOKEN,
  type FakeCall,
  FakeTwilio,
  PUBLIC_URL,
} from '../../../tools/fake-carriers/fake-twilio.js';
import { RELAY } from './twilio-options.js';

export interface Placed {
  caller: Caller;
  phoneNumber: string;
  id: string;
}

/** API and worker, with Twilio's API beside them. Requests to the public address reach the API. */
export class TwilioWorld {
  private constructor(
    readonly twilio: FakeTwilio,
    readonly calling: Calling,
  ) {}

  static async start(): Promise<TwilioWorld> {
    const twilio = await FakeTwilio.start();
    const calling = await Calling.start({
      twilioAccountSid: ACCOUNT_SID,
      twilioAuthToken: AUTH_TOKEN,
      twilioApiUrl: twilio.url,
      publicUrl: PUBLIC_URL,
      twilioCallsPerSecond: 1_000,
    });
    return new TwilioWorld(twilio, calling);
  }

  async close(): Promise<void> {
    await this.calling.close();
    await this.twilio.close();
  }

  get apiUrl(): string {
    const server = this.calling.api.getHttpServer();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A team with an agent that dials by Twilio. */
  caller(agent: Row = {}, carrierSettings: Row = RELAY): Promise<Caller> {
    return buildCaller(
      this.calling.db,
      {},
      { carrier: 'twilio', carrier_settings: carrierSettings, ...agent },
    );
  }

  /** A call that Twilio has been asked for. */
  async place(caller: Caller, body: object = {}): Promise<Placed> {
    const phoneNumber = nextNumber();
    const id = await this.calling.accepted(caller, { phoneNumber, ...body });
    await eventually(
      () => Promise.resolve(this.twilio.dialsTo(phoneNumber).length),
      (dials) => dials > 0,
    );
    return { caller, phoneNumber, id };
  }

  /** What Twilio reports of the one call to a number; gives the status of the API's answer. */
  async report(
    { phoneNumber }: Pick<Placed, 'phoneNumber'>,
    fields: Record<string, string>,
  ): Promise<number> {
    const { status } = await this.twilio.report(this.twilio.callTo(phoneNumber), fields, this.apiUrl);
    return status;
  }

  callOf({ phoneNumber }: Placed): FakeCall {
    return this.twilio.callTo(phoneNumber);
  }

  async until({ id }: Placed, status: string, withinMs?: number): Promise<CallRow> {
    return eventually(
      () => this.calling.row(id),
      (row) => row.status === status,
      withinMs,
    );
  }

  async transitions({ id }: Placed): Promise<string[]> {
    return (await this.calling.row(id)).history.map(({ to, cause }) => `${to} (${cause})`);
  }
}
