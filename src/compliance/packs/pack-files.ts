import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pack } from '../../domain/compliance/pack.js';
import { PackError } from './pack-error.js';
import { parsePack } from './parse-pack.js';

/** The packs of the release: `packs/` of the repository, and `dist/packs/` after the build. */
export const SHIPPED_DIR = join(__dirname, '..', '..', '..', 'packs');

/** Packs, and a sentence for each file that is not one. */
export interface ReadPacks {
  packs: Pack[];
  faults: string[];
}

let shipped: ReadPacks | undefined;

/** The packs of the release, which are read once. */
export function readShipped(): ReadPacks {
  return (shipped ??= readPacks(SHIPPED_DIR));
}

/** Reads every `*.yaml` of a directory, in the order of their names. Throws if the directory cannot be read. */
export function readPacks(directory: string): ReadPacks {
  const packs: Pack[] = [];
  const faults: string[] = [];
  for (const file of readdirSync(directory).sort()) {
    if (file.endsWith('.yml')) faults.push(`${file} must have a name that ends with .yaml`);
    if (!file.endsWith('.yaml')) continue;
    try {
      packs.push(parsePack(readFileSync(join(directory, file), 'utf8'), file));
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      faults.push(error.message);
    }
  }
  return { packs, faults };
}
