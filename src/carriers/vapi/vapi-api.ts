import { type JsonAnswer, JsonApi, recordsIn } from '../json-api.js';
import { type NumberList } from '../number-ids.js';
import { isRecord, textAt } from '../report-body.js';

/** The most numbers that one request lists. */
const MOST_NUMBERS = 1_000;

/** A number of an account as Vapi lists it. */
type ListedNumber = Record<string, unknown>;

/** Vapi's API with the key of one account for each request. */
export class VapiApi {
  private readonly api: JsonApi;

  constructor(apiUrl: string, timeoutMs: number) {
    this.api = new JsonApi(apiUrl, timeoutMs);
  }

  get(path: string, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'GET', path, headers: authorized(apiKey), signal });
  }

  /** @param to a path below the API's base URL, or a whole URL. */
  post(to: string | URL, body: object, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'POST', path: to, body, headers: authorized(apiKey), signal });
  }

  /** The body of such a request would name other calls, and is an object in any case. */
  delete(path: string, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'DELETE', path, body: {}, headers: authorized(apiKey), signal });
  }

  /** The account's numbers with all that Vapi says of them. */
  async listNumbers(
    apiKey: string,
    signal: AbortSignal,
  ): Promise<{ kind: 'numbers'; listed: ListedNumber[] } | { kind: 'failed'; answer: JsonAnswer }> {
    const answer = await this.get(`/phone-number?limit=${MOST_NUMBERS}`, apiKey, signal);
    const listed = answer.kind === 'answer' && answer.status === 200 ? recordsIn(answer.value) : null;
    return listed === null ? { kind: 'failed', answer } : { kind: 'numbers', listed };
  }

  /** The account's numbers, each with its id. */
  async numbers(apiKey: string, signal: AbortSignal): Promise<NumberList> {
    const list = await this.listNumbers(apiKey, signal);
    if (list.kind === 'failed') return list;
    const ids = new Map<string, string>();
    for (const one of list.listed) {
      const [number, id] = [textAt(one, 'number'), textAt(one, 'id')];
      if (number !== null && id !== null) ids.set(number, id);
    }
    return { kind: 'numbers', ids };
  }

  close(): void {
    this.api.close();
  }
}

function authorized(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}

/** Only Vapi's own refusal counts: a proxy in between may answer 4xx to a request that it has passed on. */
export function isVapiError(value: unknown): value is { message: string | string[]; statusCode: number } {
  if (!isRecord(value) || typeof value.statusCode !== 'number') return false;
  return typeof value.message === 'string' || Array.isArray(value.message);
}
