import { join } from 'node:path';

/**
 * The path of the file that a forecast's thread runs. Only a new thread loads that file; no module imports
 * it.
 */
export const THREAD_FILE = join(__dirname, 'forecast.thread.js');
