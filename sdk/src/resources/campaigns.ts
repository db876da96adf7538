import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { valuesOf } from '../core/streams.js';
import { type Transport } from '../core/transport.js';
import {
  type CampaignDetail,
  type CampaignForecast,
  type CampaignPage,
  type CampaignResource,
  type CampaignResult,
  type CampaignStats,
  type CampaignVersion,
  type CampaignVersionPage,
  type CampaignEnrollmentPage,
  type ChangedCampaign,
  type EnrollmentDetail,
  type PublishedCampaignVersion,
  type VersionMigrationPlan,
} from '../types.js';

type ResultFilters = Omit<Query<'getCampaignResultsByKey'>, 'format' | 'bom'>;
type CsvFilters = Omit<Query<'getCampaignResultsByKey'>, 'format'>;

export class Campaigns {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The campaign with the counts of its enrollments. */
  get(id: string, options?: RequestOptions): Promise<CampaignDetail> {
    return this.#transport.json('getCampaignByKey', { path: { id } }, options);
  }

  /** The newest first. */
  list(query: Query<'listCampaignsByKey'> = {}, options?: RequestOptions): List<CampaignPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listCampaignsByKey', { query: { ...query, cursor } }, options),
    );
  }

  /** A campaign with an empty current version. */
  create(body: Body<'createCampaignByKey'>, options?: RequestOptions): Promise<ChangedCampaign> {
    return this.#transport.json('createCampaignByKey', { body }, options);
  }

  /** Changes the fields that are sent. `status: 'paused'` stops its calls at once, `'active'` starts them again. */
  update(id: string, body: Body<'updateCampaignByKey'>, options?: RequestOptions): Promise<ChangedCampaign> {
    return this.#transport.json('updateCampaignByKey', { path: { id }, body }, options);
  }

  /** Ends the campaign and its live enrollments. */
  archive(id: string, options?: RequestOptions): Promise<CampaignResource> {
    return this.#transport.json('archiveCampaignByKey', { path: { id } }, options);
  }

  stats(id: string, options?: RequestOptions): Promise<CampaignStats> {
    return this.#transport.json('getCampaignStatsByKey', { path: { id } }, options);
  }

  /** What has come of each enrollment, in one answer. `properties` are custom properties, separated by commas. */
  results(
    id: string,
    filters: ResultFilters = {},
    options?: RequestOptions,
  ): AsyncGenerator<CampaignResult, void, undefined> {
    const query = { ...filters, format: 'ndjson' as const };
    const input = { path: { id }, query, accept: 'application/x-ndjson' };
    return valuesOf(this.#transport.bytes('getCampaignResultsByKey', input, options));
  }

  /** The same as the bytes of a CSV file. */
  resultsCsv(
    id: string,
    filters: CsvFilters = {},
    options?: RequestOptions,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const input = { path: { id }, query: { ...filters, format: 'csv' as const }, accept: 'text/csv' };
    return this.#transport.bytes('getCampaignResultsByKey', input, options);
  }
}

/** The versions of a campaign: at most one draft, and those that were published. */
export class CampaignVersions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(
    campaignId: string,
    query: Query<'listCampaignVersionsByKey'> = {},
    options?: RequestOptions,
  ): List<CampaignVersionPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json(
        'listCampaignVersionsByKey',
        { path: { campaignId }, query: { ...query, cursor } },
        options,
      ),
    );
  }

  /** The draft of the campaign. */
  create(
    campaignId: string,
    body: Body<'createCampaignVersionByKey'>,
    options?: RequestOptions,
  ): Promise<CampaignVersion> {
    return this.#transport.json('createCampaignVersionByKey', { path: { campaignId }, body }, options);
  }

  get(campaignId: string, versionId: string, options?: RequestOptions): Promise<CampaignVersion> {
    return this.#transport.json('getCampaignVersionByKey', { path: { campaignId, versionId } }, options);
  }

  /** Only a draft can be changed. */
  update(
    campaignId: string,
    versionId: string,
    body: Body<'updateCampaignVersionByKey'>,
    options?: RequestOptions,
  ): Promise<CampaignVersion> {
    return this.#transport.json(
      'updateCampaignVersionByKey',
      { path: { campaignId, versionId }, body },
      options,
    );
  }

  /** The draft becomes the current version. */
  publish(
    campaignId: string,
    versionId: string,
    options?: RequestOptions,
  ): Promise<PublishedCampaignVersion> {
    return this.#transport.json('publishCampaignVersionByKey', { path: { campaignId, versionId } }, options);
  }

  /** Moves the live enrollments of another version to this one; with `dryRun`, says what would change. */
  migrate(
    campaignId: string,
    versionId: string,
    { dryRun, ...body }: Body<'migrateCampaignVersionByKey'> & Query<'migrateCampaignVersionByKey'>,
    options?: RequestOptions,
  ): Promise<VersionMigrationPlan> {
    return this.#transport.json(
      'migrateCampaignVersionByKey',
      { path: { campaignId, versionId }, body, query: { dryRun } },
      options,
    );
  }

  /** Plays the version with simulated time. It places no calls. */
  forecast(
    campaignId: string,
    versionId: string,
    body: Body<'forecastCampaignVersionByKey'>,
    options?: RequestOptions,
  ): Promise<CampaignForecast> {
    return this.#transport.json(
      'forecastCampaignVersionByKey',
      { path: { campaignId, versionId }, body },
      options,
    );
  }
}

/** The enrollments of one campaign. */
export class CampaignEnrollments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The newest first. */
  list(
    campaignId: string,
    query: Query<'listCampaignEnrollmentsByKey'> = {},
    options?: RequestOptions,
  ): List<CampaignEnrollmentPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json(
        'listCampaignEnrollmentsByKey',
        { path: { campaignId }, query: { ...query, cursor } },
        options,
      ),
    );
  }

  get(campaignId: string, enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json(
      'getCampaignEnrollmentByKey',
      { path: { campaignId, enrollmentId } },
      options,
    );
  }

  pause(campaignId: string, enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json(
      'pauseCampaignEnrollmentByKey',
      { path: { campaignId, enrollmentId } },
      options,
    );
  }

  resume(campaignId: string, enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json(
      'resumeCampaignEnrollmentByKey',
      { path: { campaignId, enrollmentId } },
      options,
    );
  }

  /** Ends the enrollment permanently. */
  exit(campaignId: string, enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json(
      'exitCampaignEnrollmentByKey',
      { path: { campaignId, enrollmentId } },
      options,
    );
  }
}
