import { closeSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const READ_BYTES = 1_048_576;
// Reads only `to`: parsing each line as JSON takes many times as long, and a log may be long.
const DESTINATION = /"to":"(\+\d{1,15})"/;

/** One dial as the simulator received it: a line of the dial log. */
export interface DialRecord {
  at: string;
  callRequestId: string;
  to: string;
  from: string;
  outcome: string;
  carrierCallId: string;
}

/**
 * The record of every dial, without de-duplication. Each line is written before its dial is answered, so a
 * process that is killed later loses nothing.
 */
export class DialLog {
  private descriptor: number | null = null;

  constructor(private readonly path: string | null) {}

  /**
   * Called before the first dial, so that a wrong path stops the start. @throws the error of the file system.
   */
  open(): void {
    if (this.path === null || this.descriptor !== null) return;
    mkdirSync(dirname(this.path), { recursive: true });
    // 'a' is O_APPEND: several processes may share the file, and one write is one whole line.
    this.descriptor = openSync(this.path, 'a');
  }

  /** Appends synchronously; throws if the line was not written completely. */
  append(record: DialRecord): void {
    this.open();
    if (this.descriptor === null) return;
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    if (writeSync(this.descriptor, line) !== line.length) throw new Error('dial log: short write');
  }

  /** The destinations of all dials in the file, oldest first, including the dials of other processes. */
  *destinations(): Generator<string> {
    if (this.path === null) return;
    const descriptor = openSync(this.path, 'r');
    try {
      const chunk = Buffer.alloc(READ_BYTES);
      let rest = '';
      for (let size = READ_BYTES; size > 0;) {
        size = readSync(descriptor, chunk, 0, READ_BYTES, null);
        // Lines are ASCII: no character is cut in two.
        const lines = (rest + chunk.toString('latin1', 0, size)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const to = DESTINATION.exec(line)?.[1];
          if (to !== undefined) yield to;
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  close(): void {
    if (this.descriptor === null) return;
    closeSync(this.descriptor);
    this.descriptor = null;
  }
}
