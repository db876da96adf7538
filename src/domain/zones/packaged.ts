import latest from 'moment-timezone/data/packed/latest.json';
import { type PackedZones } from './packed-zones.js';

/** The zone data that are a dependency. */
export const PACKAGED: PackedZones = latest;

/** When the data were published. */
export const PACKAGED_ON = '2026-10-29';
