import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import {
  type CarrierAccount,
  type CarrierAccountCheck,
  type CarrierAccountPage,
  type NumberPool,
  type NumberPoolPage,
  type PhoneNumber,
  type PhoneNumberPage,
  type VoiceAgentDetail,
  type VoiceAgentPage,
  type WrittenVoiceAgent,
} from '../types.js';

export class VoiceAgents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The newest first. */
  list(query: Query<'listVoiceAgentsByKey'> = {}, options?: RequestOptions): List<VoiceAgentPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listVoiceAgentsByKey', { query: { ...query, cursor } }, options),
    );
  }

  create(body: Body<'createVoiceAgentByKey'>, options?: RequestOptions): Promise<WrittenVoiceAgent> {
    return this.#transport.json('createVoiceAgentByKey', { body }, options);
  }

  /** The agent with its templates and carrier settings. */
  get(id: string, options?: RequestOptions): Promise<VoiceAgentDetail> {
    return this.#transport.json('getVoiceAgentByKey', { path: { id } }, options);
  }

  /** Changes the fields that are sent, also for calls that wait. */
  update(
    id: string,
    body: Body<'updateVoiceAgentByKey'>,
    options?: RequestOptions,
  ): Promise<WrittenVoiceAgent> {
    return this.#transport.json('updateVoiceAgentByKey', { path: { id }, body }, options);
  }

  /** Calls that are already accepted are still placed. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.json('deleteVoiceAgentByKey', { path: { id } }, options);
  }
}

export class PhoneNumbers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The newest first. */
  list(query: Query<'listPhoneNumbersByKey'> = {}, options?: RequestOptions): List<PhoneNumberPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listPhoneNumbersByKey', { query: { ...query, cursor } }, options),
    );
  }

  get(id: string, options?: RequestOptions): Promise<PhoneNumber> {
    return this.#transport.json('getPhoneNumberByKey', { path: { id } }, options);
  }
}

export class NumberPools {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: Query<'listNumberPoolsByKey'> = {}, options?: RequestOptions): List<NumberPoolPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listNumberPoolsByKey', { query: { ...query, cursor } }, options),
    );
  }

  create(body: Body<'createNumberPoolByKey'>, options?: RequestOptions): Promise<NumberPool> {
    return this.#transport.json('createNumberPoolByKey', { body }, options);
  }

  get(id: string, options?: RequestOptions): Promise<NumberPool> {
    return this.#transport.json('getNumberPoolByKey', { path: { id } }, options);
  }

  /** `phoneNumbers` replaces all numbers of the pool. */
  update(id: string, body: Body<'updateNumberPoolByKey'>, options?: RequestOptions): Promise<NumberPool> {
    return this.#transport.json('updateNumberPoolByKey', { path: { id }, body }, options);
  }
}

export class CarrierAccounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: Query<'listCarrierAccountsByKey'> = {}, options?: RequestOptions): List<CarrierAccountPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listCarrierAccountsByKey', { query: { ...query, cursor } }, options),
    );
  }

  create(body: Body<'createCarrierAccountByKey'>, options?: RequestOptions): Promise<CarrierAccount> {
    return this.#transport.json('createCarrierAccountByKey', { body }, options);
  }

  get(id: string, options?: RequestOptions): Promise<CarrierAccount> {
    return this.#transport.json('getCarrierAccountByKey', { path: { id } }, options);
  }

  /** `credentials` replaces all credentials of the account. */
  update(
    id: string,
    body: Body<'updateCarrierAccountByKey'>,
    options?: RequestOptions,
  ): Promise<CarrierAccount> {
    return this.#transport.json('updateCarrierAccountByKey', { path: { id }, body }, options);
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.json('deleteCarrierAccountByKey', { path: { id } }, options);
  }

  /** Checks the credentials, the agents of the account, and the team's numbers, without a call. */
  check(id: string, options?: RequestOptions): Promise<CarrierAccountCheck> {
    return this.#transport.json('checkCarrierAccountByKey', { path: { id } }, options);
  }
}
