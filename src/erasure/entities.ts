import { ErasureKey } from './erasure-key.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const ERASURE_ENTITIES = [ErasureKey];
