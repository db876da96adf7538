import { join } from 'node:path';

/**
 * The file that a forecast's thread runs. A thread is started from a file of its own, and is not imported.
 */
export const THREAD_FILE = join(__dirname, 'forecast.thread.js');
