import { type Response } from 'supertest';
import {
  type ImportResultView,
  type ImportView,
  type ImportWithColumns,
} from '../../src/imports/import-view.js';
import { type Caller } from '../support/call-builders.js';
import { bearer, type Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';

export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';

type By = Pick<Caller, 'apiKey'>;

/** What tests ask of imports, with a team's key. */
export class ImportClient {
  constructor(private readonly calling: Calling) {}

  /** Uploads a file. */
  send(
    { apiKey }: By,
    body: string | Buffer,
    { query = '', type = CSV, headers = {} }: { query?: string; type?: string; headers?: object } = {},
  ) {
    const sent = { ...bearer(apiKey), 'Content-Type': type, ...headers };
    return this.calling.http().post(`/api/imports?${query}`).set(sent).send(body);
  }

  /** The id of an upload that must be taken. */
  async started(...given: Parameters<ImportClient['send']>): Promise<string> {
    return startedId(await this.send(...given));
  }

  async get(by: By, importId: string): Promise<ImportWithColumns> {
    const answer = await this.calling
      .http()
      .get(`/api/imports/${importId}`)
      .set(bearer(by.apiKey))
      .expect(200);
    return answer.body as ImportWithColumns;
  }

  cancel({ apiKey }: By, importId: string) {
    return this.calling.http().post(`/api/imports/${importId}/cancel`).set(bearer(apiKey));
  }

  start({ apiKey }: By, importId: string) {
    return this.calling.http().post(`/api/imports/${importId}/start`).set(bearer(apiKey));
  }

  undo({ apiKey }: By, importId: string) {
    return this.calling.http().post(`/api/imports/${importId}/undo`).set(bearer(apiKey));
  }

  async list({ apiKey }: By, query = ''): Promise<ImportView[]> {
    const answer = await this.calling.http().get(`/api/imports?${query}`).set(bearer(apiKey)).expect(200);
    return (answer.body as { items: ImportView[] }).items;
  }

  async results({ apiKey }: By, importId: string, query = ''): Promise<ImportResultView[]> {
    const answer = await this.calling
      .http()
      .get(`/api/imports/${importId}/results?${query}`)
      .set(bearer(apiKey))
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => done(null, text));
      })
      .expect(200)
      .expect('Content-Type', /^application\/x-ndjson/);
    return String(answer.body)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ImportResultView);
  }

  /** Waits until an import has ended. */
  async ended(by: By, importId: string, withinMs?: number): Promise<ImportWithColumns> {
    return eventually(
      () => this.get(by, importId),
      ({ finishedAt }) => finishedAt !== null,
      withinMs,
    );
  }
}

export function startedId(answer: Response): string {
  if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${answer.text}`);
  return (answer.body as { importId: string }).importId;
}

/** The n-th valid number of a series, from 0. */
export const numberAt = (n: number) => `+1415${String(2_000_000 + n)}`;

/** A CSV file with `count` rows. @param cells of a row besides its number. */
export function csvOf(count: number, from = 0, cells = (n: number) => `Name ${n}`): string {
  const lines = Array.from({ length: count }, (_, n) => `${numberAt(from + n)},${cells(from + n)}`);
  return ['phoneNumber,name', ...lines, ''].join('\n');
}
