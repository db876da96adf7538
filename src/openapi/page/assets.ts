import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file that the pages load. Its address changes with its text, so that browsers may keep it. */
export interface Asset {
  url: string;
  type: string;
  text: string;
}

/** @param parts files beside this one, also after the build. */
function asset(name: string, type: string, parts: readonly string[]): Asset {
  const text = parts.map((part) => readFileSync(join(__dirname, part), 'utf8')).join('\n');
  const version = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { url: `/docs/assets/${name}?v=${version}`, type: `${type}; charset=utf-8`, text };
}

export const ASSETS = {
  style: asset('style.css', 'text/css', ['frame.css', 'text.css', 'operations.css']),
  script: asset('script.js', 'text/javascript', ['script.js']),
};
