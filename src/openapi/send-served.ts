import { type Request, type Response } from 'express';
import { isHttps } from '../http/https.js';
import { type Served } from './documentation.js';

/** Allows scripts, styles, images and requests of this host only, and no framing or forms. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** Sends a text of the documentation, compressed if the client accepts gzip. */
export function sendServed(request: Request, response: Response, { text, gzip }: Served, type: string): void {
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.vary('Accept-Encoding');
  if (request.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    response.end(text);
    return;
  }
  response.setHeader('Content-Encoding', 'gzip');
  response.end(gzip);
}

/** Sends a page for people. */
export function sendPage(request: Request, response: Response, page: Served): void {
  const policy = isHttps(request) ? [...POLICY, 'upgrade-insecure-requests'] : POLICY;
  response.setHeader('Content-Security-Policy', policy.join('; '));
  sendServed(request, response, page, 'text/html');
}
