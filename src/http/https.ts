import { type IncomingMessage } from 'node:http';

/**
 * Whether the client uses HTTPS, to this process or to a proxy before it. The proxy's header is not verified,
 * because it affects only headers for the client's own browser.
 */
export function isHttps(request: IncomingMessage & { secure?: boolean }): boolean {
  return request.secure === true || request.headers['x-forwarded-proto'] === 'https';
}
