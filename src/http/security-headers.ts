import { type RequestHandler } from 'express';
import helmet from 'helmet';
import { isHttps } from './https.js';

/**
 * helmet's headers. Those that turn a browser to HTTPS are sent over HTTPS alone: over plain HTTP they would send the
 * links of our own pages to a port that does not speak TLS.
 */
export function securityHeaders(): RequestHandler {
  const overHttps = helmet();
  const overHttp = helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  return (request, response, next) => (isHttps(request) ? overHttps : overHttp)(request, response, next);
}
