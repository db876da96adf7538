import { addressOf, type ExampleRequest } from './example-request.js';
import { variablesOf } from './operation-example.js';

/** The request as a command of a POSIX shell. */
export function curlOf(request: ExampleRequest): string {
  const { method, body, file, credential, saveAs } = request;
  const lines = [`curl${methodOption(request)} "${urlOf(request)}"`];
  if (credential !== null) lines.push(`-H "Authorization: Bearer $${credential}"`);
  const type = file?.type ?? (body === undefined ? undefined : 'application/json');
  if (type !== undefined) lines.push(`-H 'Content-Type: ${type}'`);
  if (method === 'POST' && request.isIdempotent) lines.push(`-H 'Idempotency-Key: ${keyOf(request)}'`);
  if (saveAs !== undefined) lines.push(`-o ${saveAs}`);
  if (file !== undefined) return `${joined([...lines, `--data-binary @- <<'CSV'`])}\n${file.text}CSV`;
  if (body === undefined) return joined(lines);
  const text = JSON.stringify(body, null, 2);
  if (variablesOf(body).length > 0) return `${joined([...lines, '-d @- <<JSON'])}\n${text}\nJSON`;
  return joined([...lines, `-d '${text.replaceAll("'", `'\\''`)}'`]);
}

/**
 * `createContact` → `create-contact-4711`. Each operation has its own key, because a key belongs to one
 * request.
 */
const keyOf = ({ operationId }: ExampleRequest) =>
  `${operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-4711`;

const joined = (lines: readonly string[]) => lines.join(' \\\n  ');

function methodOption({ method, body, file }: ExampleRequest): string {
  const usual = body === undefined && file === undefined ? 'GET' : 'POST';
  return method === usual ? '' : ` -X ${method}`;
}

function urlOf(request: ExampleRequest): string {
  const query = Object.entries(request.query ?? {}).map(([name, value]) => `${name}=${queryValue(value)}`);
  const address = addressOf(request, (variable) => variable);
  return `$OUTDIAL_URL${address}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/**
 * Only a plus is escaped, because a query reads it as a space. The values of variables are ids, and the texts
 * of examples need no other escapes.
 */
const queryValue = (value: NonNullable<ExampleRequest['query']>[string]) =>
  String(value).replaceAll('+', '%2B');
