import { freeMemory } from '../../src/http/free-memory.js';

const LARGE = 64 * 1024;

test('memory is released at once, and its views are empty', () => {
  const buffer = Buffer.alloc(LARGE, 'x');
  const part = buffer.subarray(10, 20);
  const before = process.memoryUsage().arrayBuffers;
  freeMemory(buffer);
  expect([buffer.length, part.length]).toEqual([0, 0]);
  expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before - LARGE);
  freeMemory(buffer);
});

test('shared and small memory is kept', () => {
  const whole = Buffer.alloc(2 * LARGE, 'x');
  freeMemory(whole.subarray(LARGE));
  expect(whole.at(-1)).toBe('x'.charCodeAt(0));
  const pooled = Buffer.from('small');
  freeMemory(pooled);
  expect(pooled.toString()).toBe('small');
});
