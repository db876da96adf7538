import { createHash } from 'node:crypto';
import { type Pack } from '../../domain/compliance/pack.js';

/**
 * A pack as canonical JSON: keys sorted, no blanks, without `version`, which is its hash. Two processes with the same
 * pack have the same content, whatever their files' layout.
 */
export function contentOf(pack: Omit<Pack, 'version'>): string {
  return canonical({ ...pack, version: undefined });
}

/** The version of a content: the first 12 hex digits of its SHA-256. */
export function versionOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

/** The pack of a content that {@link contentOf} gave, such as one that was kept for a replay. */
export function packOfContent(content: string): Pack {
  return { ...(JSON.parse(content) as Omit<Pack, 'version'>), version: versionOf(content) };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}
