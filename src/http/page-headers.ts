import { type Response } from 'express';

/** Only scripts of our own files, nothing from other origins, no framing; forms go only to this origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The pages are private: caches do not store them, and other sites do not get their addresses. */
export function setPageHeaders(response: Response): void {
  response.setHeader('Content-Security-Policy', POLICY);
  setPrivate(response);
}

/** The headers that the queue's board has, too. */
export function setPrivate(response: Response): void {
  response.setHeader('Cache-Control', 'no-store');
  // Not `no-referrer`: browsers would send the forms with the origin `null`, which cannot be distinguished
  // from a foreign one.
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('X-Robots-Tag', 'noindex');
}
