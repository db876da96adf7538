import { OutdialError } from './errors.js';
import { type WebhookEvent } from './types.js';

/** As Node, `fetch` or a framework gives them. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/** The request is not authentic, or too old. */
export class WebhookVerificationError extends OutdialError {
  override name = 'WebhookVerificationError';
}

const FIVE_MINUTES = 300;
/** A request of the API has one, and two while a secret is being replaced. */
const MAX_SIGNATURES = 10;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * The event of a webhook's request, once its signature and its age are verified, by Standard Webhooks.
 *
 * @param body as it arrived: the bytes, or their text. What was parsed and written again has another
 *   signature.
 * @param secrets `whsec_…`, or several of them while one replaces the other.
 * @param options.tolerance seconds that the request's timestamp may be off, 300 unless given.
 * @throws WebhookVerificationError for a request that is not authentic, or too old.
 * @throws TypeError for what is no secret or no body.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[] | undefined,
  { tolerance = FIVE_MINUTES }: { tolerance?: number } = {},
): Promise<WebhookEvent> {
  const keys = [secrets ?? []].flat().map(keyOf);
  if (keys.length === 0) throw new TypeError('verifyWebhook needs the secret of the endpoint');
  const bytes = bytesOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!isRecent(timestamp, tolerance))
    throw new WebhookVerificationError('webhook-timestamp is too far from now');
  const signed = joined(bytesOf(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signaturesOf(headerOf(headers, 'webhook-signature')), keys)))
    throw new WebhookVerificationError('webhook-signature fits none of the secrets');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError(`The request must have one header ${name}`);
  return value;
}

function isRecent(timestamp: string, tolerance: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Date.now() / 1_000 - Number(timestamp)) <= tolerance;
}

/** Of `v1,<base64> v1,<base64>`; others are of schemes to come. */
function signaturesOf(header: string): Bytes[] {
  const texts = header.split(' ').filter((text) => text.startsWith('v1,'));
  return texts.slice(0, MAX_SIGNATURES).flatMap((text) => fromBase64(text.slice('v1,'.length)) ?? []);
}

/** `crypto.subtle` compares in constant time, and is in every runtime. */
async function isSigned(
  signed: Bytes,
  signatures: readonly Bytes[],
  keys: readonly Bytes[],
): Promise<boolean> {
  for (const raw of keys) {
    const key = await crypto.subtle.importKey('raw', raw, HMAC, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify(HMAC, key, signature, signed)) return true;
    }
  }
  return false;
}

/** @throws TypeError, without the secret. */
function keyOf(secret: string): Bytes {
  const key = /^whsec_./.test(secret) ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  if (key === undefined || key.length === 0)
    throw new TypeError('The secret of an endpoint is whsec_ and base64');
  return key;
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(value: string | Uint8Array): Bytes {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  if (value instanceof Uint8Array) return value as Bytes;
  throw new TypeError('verifyWebhook needs the body as it arrived: a text or bytes');
}

function joined(head: Bytes, tail: Bytes): Bytes {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
