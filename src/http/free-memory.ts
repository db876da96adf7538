import { MessageChannel } from 'node:worker_threads';

/** Smaller memory may be part of a pool, and is not worth it. In bytes. */
const MIN_BYTES = 16 * 1024;

/** A closed port: memory that is handed to it is freed at once. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/**
 * Gives the memory of a buffer back now. V8 would collect it after tens of megabytes of other buffers, in
 * pauses of milliseconds that all requests wait for. From then on the buffer, and every view of its memory,
 * is empty. A buffer that is small or a part of larger memory stays as it is.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  if (byteLength < MIN_BYTES || byteLength !== buffer.byteLength) return;
  nowhere.postMessage(null, [buffer as ArrayBuffer]);
}
