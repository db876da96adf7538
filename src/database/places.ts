import { DatabaseBusyError } from './database-errors.js';

/** Nobody waits longer for a turn: it is what the pool grants for a connection. */
export const TURN_WITHIN_MS = 3_000;

/** As many at a time, in the order in which they come. */
export class Places {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @throws DatabaseBusyError when there was no place in time, or what `work` throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.handedOver();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  /** Resolves when somebody leaves his place to this one. */
  private handedOver(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(new DatabaseBusyError('No turn in time'));
      }, TURN_WITHIN_MS);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.push(begin);
    });
  }
}
