import { freeMemory } from '../../src/http/free-memory.js';

const LARGE = 64 * 1024;

test('memory is given back at once, and no view of it shows anything any more', () => {
  const buffer = Buffer.alloc(LARGE, 'x');
  const part = buffer.subarray(10, 20);
  const before = process.memoryUsage().arrayBuffers;
  freeMemory(buffer);
  expect([buffer.length, part.length]).toEqual([0, 0]);
  expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before - LARGE);
  freeMemory(buffer);
});

test('memory that others share stays, and so does what is small', () => {
  const whole = Buffer.alloc(2 * LARGE, 'x');
  freeMemory(whole.subarray(LARGE));
  expect(whole.at(-1)).toBe('x'.charCodeAt(0));
  const pooled = Buffer.from('small');
  freeMemory(pooled);
  expect(pooled.toString()).toBe('small');
});
