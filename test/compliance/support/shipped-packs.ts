import { readShipped } from '../../../src/compliance/packs/pack-files.js';
import { Packs } from '../../../src/compliance/packs/packs.service.js';

const read = readShipped();

/** What is wrong with the files; nothing. */
export const SHIPPED_FAULTS = read.faults;

/** The packs of the release. */
export const SHIPPED = new Packs(() => read.packs);
