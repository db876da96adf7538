import { cursorList, type List } from '../core/list.js';
import { type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import { type CampaignDetail, type CampaignPage } from '../types.js';

export class Campaigns {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The campaign with the counts of its enrollments. */
  get(campaignId: string, options?: RequestOptions): Promise<CampaignDetail> {
    return this.#transport.json('getCampaignByKey', { path: { campaignId } }, options);
  }

  /** The newest first. */
  list(query: Query<'listCampaignsByKey'> = {}, options?: RequestOptions): List<CampaignPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listCampaignsByKey', { query: { ...query, cursor } }, options),
    );
  }
}
