import { type JsonAnswer, JsonApi } from '../json-api.js';

/** Retell's API with the keys of one account for each request. */
export class RetellApi {
  private readonly api: JsonApi;

  constructor(apiUrl: string, timeoutMs: number) {
    this.api = new JsonApi(apiUrl, timeoutMs);
  }

  get(path: string, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'GET', path, headers: authorized(apiKey), signal });
  }

  post(path: string, body: object | undefined, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'POST', path, body, headers: authorized(apiKey), signal });
  }

  delete(path: string, apiKey: string, signal: AbortSignal): Promise<JsonAnswer> {
    return this.api.send({ method: 'DELETE', path, headers: authorized(apiKey), signal });
  }

  close(): void {
    this.api.close();
  }
}

function authorized(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}
