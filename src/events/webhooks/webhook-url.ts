import { type AddressRules, namesForbiddenAddress } from '../../http/address-guard.js';

export const MAX_URL = 2_000;

/** Names of this host, which need no resolution (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/;

/** Characters that the URL parser would drop, trim or replace, so that the request would go elsewhere. */
const NOT_IN_A_URL = /[\s\\\p{Cc}]/u;

/** The variable that admits private networks, in the refusals that it would change. */
const ALLOWED_BY = 'unless the deployment sets WEBHOOKS_ALLOW_PRIVATE=true';

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
  if (NOT_IN_A_URL.test(text))
    return no('must have no spaces, line breaks, backslashes or control characters');
  if (text.length > MAX_URL) return no(`must be at most ${MAX_URL} characters`);
  if (!URL.canParse(text)) return no(expected);
  const url = new URL(text);
  if (!schemes.includes(url.protocol))
    return no(url.protocol === 'http:' ? `${expected}, ${ALLOWED_BY}` : expected);
  if (url.username !== '' || url.password !== '') return no('must have no user and no password');
  const isLocal = !rules.allowPrivate && LOCALHOST.test(url.hostname);
  const isPrivate = isLocal || namesForbiddenAddress(url, rules);
  if (isPrivate) {
    // Some addresses are forbidden in every deployment.
    const helps = isLocal || !namesForbiddenAddress(url, { allowPrivate: true });
    return no(`must not lead into a private network${helps ? `, ${ALLOWED_BY}` : ''}`);
  }
  url.hash = '';
  return { ok: true, url };
}
