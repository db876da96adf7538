import { type JsonAnswer, JsonApi, recordsIn } from '../json-api.js';
import { type NumberList } from '../number-ids.js';
import { isRecord, recordAt, textAt } from '../report-body.js';

/** A number of a workspace as ElevenLabs lists it. */
type ListedNumber = Record<string, unknown>;

/** ElevenLabs' API with the key of one workspace for each request. */
export class ElevenLabsApi {
  private readonly api: JsonApi;

  constructor(apiUrl: string, timeoutMs: number) {
    this.api = new JsonApi(apiUrl, timeoutMs);
  }

  get(path: string, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'GET', path, headers: { 'xi-api-key': apiKey }, signal });
  }

  post(path: string, body: object, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'POST', path, body, headers: { 'xi-api-key': apiKey }, signal });
  }

  delete(path: string, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'DELETE', path, headers: { 'xi-api-key': apiKey }, signal });
  }

  /** The workspace's numbers with all that ElevenLabs says of them. */
  async listNumbers(
    apiKey: string,
    signal: AbortSignal,
  ): Promise<{ kind: 'numbers'; listed: ListedNumber[] } | { kind: 'failed'; answer: JsonAnswer }> {
    const answer = await this.get('/v1/convai/phone-numbers', apiKey, signal);
    const listed = answer.kind === 'answer' && answer.status === 200 ? recordsIn(answer.value) : null;
    return listed === null ? { kind: 'failed', answer } : { kind: 'numbers', listed };
  }

  /** The workspace's numbers, each with its id. */
  async numbers(apiKey: string, signal: AbortSignal): Promise<NumberList> {
    const list = await this.listNumbers(apiKey, signal);
    if (list.kind === 'failed') return list;
    const ids = new Map<string, string>();
    for (const one of list.listed) {
      const [number, id] = [textAt(one, 'phone_number'), textAt(one, 'phone_number_id')];
      if (number !== null && id !== null) ids.set(number, id);
    }
    return { kind: 'numbers', ids };
  }

  close(): void {
    this.api.close();
  }
}

/** Only ElevenLabs' own refusal counts: a proxy in between may answer 4xx to a request that it has passed on. */
export function isElevenLabsError(value: unknown): value is { detail: unknown } {
  if (!isRecord(value)) return false;
  const { detail } = value;
  return typeof detail === 'string' || Array.isArray(detail) || isRecord(detail);
}

/** The code of an error, such as `quota_exceeded`; empty if it has none. */
export function errorCodeOf(value: unknown): string {
  if (!isRecord(value)) return '';
  const detail = recordAt(value, 'detail');
  return textAt(detail, 'status') ?? textAt(detail, 'code') ?? textAt(detail, 'type') ?? '';
}
