import { type IncomingMessage } from 'node:http';

/**
 * Whether the client speaks HTTPS, to this process or to a proxy before it. A proxy's word is believed without proof: it
 * decides only what the client's own browser keeps.
 */
export function isHttps(request: IncomingMessage & { secure?: boolean }): boolean {
  return request.secure === true || request.headers['x-forwarded-proto'] === 'https';
}
