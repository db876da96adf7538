import { cursorList, type List } from '../core/list.js';
import { type Answer, type Query } from '../core/operations.js';
import { type KeyedOptions, type RequestOptions } from '../core/options.js';
import { valuesOf } from '../core/streams.js';
import { type Transport } from '../core/transport.js';
import { Upload, type UploadSource } from '../core/upload.js';
import {
  type ImportLook,
  type ImportPage,
  type ImportResult,
  type ImportStarted,
  type ImportWithColumns,
} from '../types.js';

/**
 * An upload has no timeout unless `timeoutMs` says one: the API ends it after 30 seconds without progress.
 */
export interface UploadOptions extends KeyedOptions {
  /** `text/csv` unless given. */
  contentType?: 'text/csv' | 'application/x-ndjson';
  /** Of a file that is compressed. */
  contentEncoding?: 'gzip';
}

export class Imports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Uploads a file of contacts, piece by piece.
   *
   * @param file that can be read once is not sent again after an error; a function that opens it is called
   *   for each attempt.
   */
  create(
    file: UploadSource | (() => UploadSource),
    query: Omit<Query<'createImport'>, 'dryRun'> = {},
    options: UploadOptions = {},
  ): Promise<ImportStarted> {
    return this.#upload(file, query, options) as Promise<ImportStarted>;
  }

  /** What an import of the file would do. Nothing is stored. @param file as of {@link create}. */
  dryRun(
    file: UploadSource | (() => UploadSource),
    query: Omit<Query<'createImport'>, 'dryRun'> = {},
    options: UploadOptions = {},
  ): Promise<ImportLook> {
    return this.#upload(file, { ...query, dryRun: true }, options) as Promise<ImportLook>;
  }

  #upload(
    file: UploadSource | (() => UploadSource),
    query: Query<'createImport'>,
    { contentType = 'text/csv', contentEncoding, ...options }: UploadOptions,
  ): Promise<Answer<'createImport'>> {
    const headers = {
      'content-type': contentType,
      ...(contentEncoding && { 'content-encoding': contentEncoding }),
    };
    const content = new Upload(file, headers);
    return this.#transport.json('createImport', { query, content }, { timeoutMs: 0, ...options });
  }

  get(importId: string, options?: RequestOptions): Promise<ImportWithColumns> {
    return this.#transport.json('getImport', { path: { importId } }, options);
  }

  /** The newest first. */
  list(query: Query<'listImports'> = {}, options?: RequestOptions): List<ImportPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listImports', { query: { ...query, cursor } }, options),
    );
  }

  /** The result of each row that is processed already. */
  results(
    importId: string,
    { failed }: Pick<Query<'getImportResults'>, 'failed'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<ImportResult, void, undefined> {
    const input = { path: { importId }, query: { failed }, accept: 'application/x-ndjson' };
    return valuesOf(this.#transport.bytes('getImportResults', input, options));
  }

  /** The rows with an error, as the bytes of a CSV file that can be corrected and imported again. */
  failedRowsCsv(
    importId: string,
    { bom }: Pick<Query<'getImportResults'>, 'bom'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const query = { failed: true, format: 'csv' as const, bom };
    return this.#transport.bytes(
      'getImportResults',
      { path: { importId }, query, accept: 'text/csv' },
      options,
    );
  }

  /** Rows that are processed by then stay processed. */
  cancel(importId: string, options?: RequestOptions): Promise<ImportWithColumns> {
    return this.#transport.json('cancelImport', { path: { importId } }, options);
  }

  /** Starts an import that was created with `hold`. */
  start(importId: string, options?: RequestOptions): Promise<ImportWithColumns> {
    return this.#transport.json('startImport', { path: { importId } }, options);
  }

  /**
   * Begins to undo an import that has ended. `get` shows in `undo` what was done, and what could not be undone.
   */
  undo(importId: string, options?: RequestOptions): Promise<ImportWithColumns> {
    return this.#transport.json('undoImport', { path: { importId } }, options);
  }
}
