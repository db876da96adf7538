import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Forecast } from '../../domain/campaigns/forecast/forecast.js';
import { PACKAGED } from '../../domain/zones/packaged.js';
import { zoneData } from '../../domain/zones/time-zone.js';
import { type FromThread, type ThreadData, type ThreadStart, type ToThread } from './messages.js';
import { type ErasedRow } from './rows.js';
import { THREAD_FILE } from './thread-file.js';

/** The limits of memory in MB. A thread that uses more ends with an error, and the process continues. */
const LIMITS = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 64 };

/** One forecast in a thread of its own. */
export class ForecastThread {
  private readonly worker: Worker;
  /** The error with which the thread has ended. The next {@link ask} throws it. */
  private error: Error | undefined;

  /**
   * @param signal ends a wait for an answer of the thread. The waiting method then throws the signal's
   *   reason. Only {@link end} ends the thread.
   */
  constructor(
    start: ThreadStart,
    private readonly signal: AbortSignal,
  ) {
    // The thread only computes, so it needs no module that the process preloads.
    const { data } = zoneData();
    const workerData: ThreadData = { ...start, zones: data === PACKAGED ? null : data };
    const options = { workerData, resourceLimits: LIMITS, execArgv: [] };
    this.worker = new Worker(THREAD_FILE, options);
    this.worker.on('error', (error: Error) => (this.error = error));
  }

  /**
   * Sends a page of enrollments, and waits until the thread has read it, so that few pages are in memory at
   * once.
   */
  async add(rows: string, erased: ErasedRow[] | null): Promise<void> {
    await this.ask({ kind: 'page', rows, erased });
  }

  /** Plays the enrollments that were sent. @throws the thread's error. */
  async play(): Promise<Forecast> {
    const answer = await this.ask({ kind: 'play' });
    if (answer.kind !== 'played') throw new Error(`a forecast's thread answered ${answer.kind} to play`);
    return answer.forecast;
  }

  /** Ends the thread at once. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private async ask(message: ToThread): Promise<FromThread> {
    this.signal.throwIfAborted();
    if (this.error !== undefined) throw this.error;
    const answered = once(this.worker, 'message', { signal: this.signal });
    this.worker.postMessage(message);
    try {
      const [answer] = (await answered) as [FromThread];
      return answer;
    } catch (error) {
      this.signal.throwIfAborted();
      throw error;
    }
  }
}
