import { ROUTES } from '../generated/routes.js';
import { VERSION } from '../version.js';
import { type Content, jsonContent } from './content.js';
import { type Body, type OperationId, type PathParameters, type Query } from './operations.js';
import { type KeyedOptions } from './options.js';

/** What a caller says of a request. A list of texts in the query is sent with commas between them. */
export interface Input<Id extends OperationId> {
  path?: PathParameters<Id>;
  query?: { [Name in keyof Query<Id>]: Query<Id>[Name] | readonly string[] };
  body?: Body<Id>;
  /** Instead of a body that is JSON. */
  content?: Content;
  /** Headers that only this request has. */
  headers?: Record<string, string>;
  /** JSON unless said. */
  accept?: string;
}

/** A request, ready to be sent as often as needed. */
export interface PreparedRequest {
  url: URL;
  method: string;
  headers: Headers;
  content: Content | undefined;
  idempotencyKey: string | undefined;
  /** Whether a second execution does no harm. */
  isRepeatable: boolean;
}

/** POSTs without a key whose repetition changes nothing, or is refused. */
const HARMLESS: readonly OperationId[] = [
  'explainCall',
  'cancelCall',
  'hangUpCall',
  'stopOwnTeam',
  'resumeOwnTeam',
  'reportCallResult',
  'cancelImport',
  'startImport',
  'undoImport',
  'pauseEnrollmentByKey',
  'resumeEnrollmentByKey',
  'exitEnrollmentByKey',
  'addToDoNotCallByKey',
  'revokeConsentByKey',
];

/** @throws TypeError for an empty id, or what cannot be part of a URL or a header. */
export function prepare<Id extends OperationId>(
  id: Id,
  { path, query, body, content, headers: own = {}, accept = 'application/json' }: Input<Id>,
  options: KeyedOptions,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): PreparedRequest {
  const { method, isKeyed, path: template } = ROUTES[id];
  const sent = content ?? (body === undefined ? undefined : jsonContent(body));
  const idempotencyKey = isKeyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const headers = new Headers({ accept, 'user-agent': `outdial-client/${VERSION}`, ...sent?.headers });
  for (const [name, value] of Object.entries({ ...own, ...options.headers })) headers.set(name, value);
  headers.set('authorization', `Bearer ${apiKey}`);
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  return {
    url: urlOf(baseUrl, filled(template, path ?? {}), query ?? {}),
    method,
    headers,
    content: sent,
    idempotencyKey,
    isRepeatable: method !== 'POST' || isKeyed || HARMLESS.includes(id),
  };
}

type Parameter = string | number | boolean | readonly string[];

function urlOf(baseUrl: string, path: string, query: object): URL {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query) as [string, Parameter | null | undefined][]) {
    if (value === undefined || value === null) continue;
    // A list repeats its parameter.
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  return url;
}

/** The path of a route with values in place of its parameters. */
function filled(template: string, values: Record<string, string>): string {
  return template.replace(/{(\w+)}/g, (_, name: string) => {
    const value = values[name];
    // The path of another route would be left.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value))
      throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}
