import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const fileOf = (name: string): string =>
  readFileSync(createRequire(__filename).resolve(`htmx.org/dist/${name}`), 'utf8');

/**
 * The library of the pages whose parts renew themselves, and its part for server-sent events. We serve it, so that no
 * other origin is asked.
 */
export const HTMX = [fileOf('htmx.min.js'), fileOf('ext/hx-sse.min.js')].join(';\n');

/** Part of the script's address, so that browsers may keep the script until it changes. */
export const HTMX_VERSION = createHash('sha256').update(HTMX).digest('hex').slice(0, 12);

/** A part whose renewal failed stays as it was, and is renewed the next time. */
export const HTMX_CONFIG = JSON.stringify({ noSwap: [204, 304, '4xx', '5xx'] });
