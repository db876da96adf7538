import { join } from 'node:path';

/** What a forecast's thread runs: a file of its own, because a thread is started rather than imported. */
export const THREAD_FILE = join(__dirname, 'forecast.thread.js');
