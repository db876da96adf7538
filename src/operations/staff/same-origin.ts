import { type Request } from 'express';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function changesSomething(request: Request): boolean {
  return !SAFE_METHODS.has(request.method);
}

/**
 * Whether a request comes from a page of ours, as far as its browser says. Browsers send the password by themselves,
 * whichever page asks them to, so this is judged for every change. `Sec-Fetch-Site` cannot be forged by a page, and holds
 * behind proxies too; browsers leave it out where the page came over plain HTTP, and always send `Origin` with a POST.
 * A client that sends neither is no browser.
 */
export function isSameOrigin(request: Request): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
