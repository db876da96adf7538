import { createHash } from 'node:crypto';
import { type Request } from 'express';
import { idempotencyKeyOf } from '../../src/idempotency/idempotency.js';

/** The fingerprint of a POST with a key. */
function fingerprintOf(originalUrl: string, externalId?: string, body = '{}'): string | undefined {
  const headers: Record<string, string | undefined> = {
    'Idempotency-Key': 'one',
    'External-Id': externalId,
  };
  const request = {
    method: 'POST',
    originalUrl,
    rawBody: { kind: 'bytes', bytes: Buffer.from(body) },
    get: (name: string) => headers[name],
  };
  const key = idempotencyKeyOf(request as unknown as Request);
  return key.ok ? key.value?.fingerprint.toString('hex') : undefined;
}

test('without a query and an external id it is that of 1.0, whose answers are still replayed', () => {
  const stored = createHash('sha256').update('POST\n/api/contacts\n{}').digest('hex');
  expect(fingerprintOf('/api/contacts')).toBe(stored);
});

test('method, path, query, external id and body are told apart', () => {
  const all = [
    fingerprintOf('/api/contacts'),
    fingerprintOf('/api/contacts?'),
    fingerprintOf('/api/contacts?a=1'),
    fingerprintOf('/api/contacts', ''),
    fingerprintOf('/api/contacts', 'a'),
    fingerprintOf('/api/contacts', '?a=1'),
    fingerprintOf('/api/contacts?a=1', 'a'),
    fingerprintOf('/api/contacts', undefined, 'a\n{}'),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(fingerprintOf('/api/contacts', ' a ')).toBe(fingerprintOf('/api/contacts', 'a'));
});
