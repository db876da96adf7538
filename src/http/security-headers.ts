import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type RequestHandler } from 'express';
import helmet from 'helmet';
import { isHttps } from './https.js';

/**
 * Sets helmet's headers. Headers that make a browser change to HTTPS are sent over HTTPS only. Sent over
 * plain HTTP, they would make the links of our own pages lead to a port without TLS. The headers of a scheme
 * are the same for every answer, so they are made once.
 */
export function securityHeaders(): RequestHandler {
  const overHttps = headersOf(helmet());
  const overHttp = headersOf(
    helmet({
      strictTransportSecurity: false,
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    }),
  );
  return (request, response, next) => {
    const headers = isHttps(request) ? overHttps : overHttp;
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function headersOf(middleware: ReturnType<typeof helmet>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}
