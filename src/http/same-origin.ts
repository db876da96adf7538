import { type Request } from 'express';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function changesSomething(request: Request): boolean {
  return !SAFE_METHODS.has(request.method);
}

/**
 * Whether a request comes from a page of this origin, by its browser's headers. Browsers send the password
 * with requests of any page, so this is checked for every change. A page cannot forge `Sec-Fetch-Site`, which
 * also works behind proxies. Browsers leave that header out for pages over plain HTTP, but always send
 * `Origin` with a POST. A client that sends neither header is not a browser.
 */
export function isSameOrigin(request: Request): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
