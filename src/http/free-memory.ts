import { MessageChannel } from 'node:worker_threads';

/**
 * The least size, in bytes, of a buffer that is freed. A smaller one may be part of a pool, and freeing it
 * would save little.
 */
const MIN_BYTES = 16 * 1024;

/** A closed port. Memory that is transferred to it is freed at once. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/**
 * Frees the memory of a buffer at once. Otherwise V8 would collect it after tens of megabytes of other
 * buffers. This would delay all requests by pauses of milliseconds. Afterwards the buffer is empty, and so is
 * every view of its memory. A small buffer, or a buffer that is part of a larger memory, stays as it is.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  if (byteLength < MIN_BYTES || byteLength !== buffer.byteLength) return;
  nowhere.postMessage(null, [buffer as ArrayBuffer]);
}
