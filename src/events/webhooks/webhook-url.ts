import { type AddressRules, namesForbiddenAddress } from '../../http/address-guard.js';

export const MAX_URL = 2_000;

/** Names of this host, which need no resolution (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/;

/** An endpoint's URL, or what is wrong with it. */
export type WebhookUrl = { ok: true; url: URL } | { ok: false; message: string };

/**
 * Reads the URL of an endpoint. A URL is read when it is stored, and again before each request, because the
 * rules may have changed since. The addresses of a host name are checked when the connection is made.
 */
export function readWebhookUrl(text: string, rules: AddressRules): WebhookUrl {
  const no = (predicate: string): WebhookUrl => ({ ok: false, message: `url ${predicate}` });
  const schemes = rules.allowPrivate ? ['https:', 'http:'] : ['https:'];
  const expected = rules.allowPrivate ? 'must be an https:// or http:// URL' : 'must be an https:// URL';
  if (text.length > MAX_URL) return no(`must be at most ${MAX_URL} characters`);
  if (!URL.canParse(text)) return no(expected);
  const url = new URL(text);
  if (!schemes.includes(url.protocol)) return no(expected);
  if (url.username !== '' || url.password !== '') return no('must have no user and no password');
  const isLocal = !rules.allowPrivate && LOCALHOST.test(url.hostname);
  if (isLocal || namesForbiddenAddress(url, rules)) return no('must not lead into a private network');
  url.hash = '';
  return { ok: true, url };
}
