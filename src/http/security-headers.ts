import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type RequestHandler } from 'express';
import helmet from 'helmet';
import { isHttps } from './https.js';

/** The paths whose answers can contain personal data or credentials. Caches must not store them. */
const PERSONAL =
  /^\/(?:api|admin|t|platform|account|start|login|logout|welcome|invite|reset|design)(?:[/?]|$)/i;

/**
 * Sets helmet's headers. Headers that make a browser change to HTTPS are sent over HTTPS only. Sent over
 * plain HTTP, they would make the links of our own pages lead to a port without TLS. The headers of a scheme
 * are the same for every answer, so they are made once. Answers of the API and of the dashboard are not
 * stored by caches, unless their route says otherwise.
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
    if (PERSONAL.test(request.url)) response.setHeader('Cache-Control', 'no-store');
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
