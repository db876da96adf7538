import { cursorList, type List } from '../core/list.js';
import { type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import { type PhoneNumberPage, type VoiceAgentPage } from '../types.js';

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
}
