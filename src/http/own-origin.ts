import { type IncomingMessage } from 'node:http';
import { isHttps } from './https.js';

/** The origin by which the client reached this process, such as `https://calls.example.com`. */
export function originOf(request: IncomingMessage & { secure?: boolean }): string {
  const origin = `${isHttps(request) ? 'https' : 'http'}://${request.headers.host ?? ''}`;
  // A host that is no host, as only a program sends it, could leave the quotes of a command.
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
}
