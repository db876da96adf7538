import { findCallBounded, placeCallBounded } from '../../src/carriers/bounded.js';
import { type Carrier } from '../../src/carriers/carrier.js';
import { aDial, aQuery } from './support.js';

function carrier(parts: Partial<Carrier>): Carrier {
  return {
    name: 'test',
    timeoutMs: 30,
    callsPerSecond: null,
    placeCall: () => Promise.resolve({ kind: 'accepted', carrierCallId: 'x' }),
    findCall: () => Promise.resolve({ kind: 'not_found' }),
    close: () => Promise.resolve(),
    ...parts,
  };
}

describe('placeCallBounded', () => {
  it('returns the carrier’s answer', async () => {
    expect(await placeCallBounded(carrier({}), aDial())).toEqual({ kind: 'accepted', carrierCallId: 'x' });
  });

  it('turns a rejection into unknown, without the text of its message', async () => {
    const error = new Error('POST https://key:secret@example.test to +14155550100 failed');
    const thrown: unknown[] = [];
    const placeCall = () => Promise.reject(error);
    const result = await placeCallBounded(carrier({ placeCall }), aDial(), (e) => thrown.push(e));
    expect(result).toEqual({ kind: 'unknown', reason: 'carrier_error' });
    expect(thrown).toEqual([error]);
  });

  it('keeps the code of an error or of its cause', async () => {
    const cause = Object.assign(new Error('x'), { code: 'ECONNRESET' });
    const direct = carrier({ placeCall: () => Promise.reject(cause) });
    const wrapped = carrier({ placeCall: () => Promise.reject(new TypeError('fetch failed', { cause })) });
    const expected = { kind: 'unknown', reason: 'carrier_error_econnreset' };
    expect(await placeCallBounded(direct, aDial())).toEqual(expected);
    expect(await placeCallBounded(wrapped, aDial())).toEqual(expected);
  });

  it('handles a carrier that throws synchronously, and a log that throws', async () => {
    const placeCall = () => {
      throw new Error('at once');
    };
    const onError = () => {
      throw new Error('log is full');
    };
    expect((await placeCallBounded(carrier({ placeCall }), aDial(), onError)).kind).toBe('unknown');
  });

  it('gives up after timeoutMs, and aborts the request', async () => {
    let aborted = false;
    const placeCall: Carrier['placeCall'] = (_request, signal) =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
    const startedAt = performance.now();
    const result = await placeCallBounded(carrier({ placeCall }), aDial());
    expect(result).toEqual({ kind: 'unknown', reason: 'carrier_timeout' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(aborted).toBe(true);
  });

  it('ignores an answer after the timeout, whether it resolves or rejects', async () => {
    const late: Promise<unknown>[] = [];
    const answers = [
      () => Promise.resolve({ kind: 'refused' as const, reason: 'aborted' }),
      () => Promise.reject(new Error('late')),
    ];
    for (const answer of answers) {
      const placeCall: Carrier['placeCall'] = (_request, signal) => {
        const promise = new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve()),
        ).then(answer);
        late.push(promise);
        return promise;
      };
      expect(await placeCallBounded(carrier({ placeCall }), aDial())).toEqual({
        kind: 'unknown',
        reason: 'carrier_timeout',
      });
    }
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('findCallBounded', () => {
  const query = aQuery();

  it('returns unknown, not not_found, when the carrier cannot be reached', async () => {
    const failing = carrier({ findCall: () => Promise.reject(new Error('down')) });
    const hanging = carrier({ findCall: () => new Promise(() => undefined) });
    expect(await findCallBounded(failing, query)).toEqual({ kind: 'unknown', reason: 'carrier_error' });
    expect(await findCallBounded(hanging, query)).toEqual({ kind: 'unknown', reason: 'carrier_timeout' });
    expect(await findCallBounded(carrier({}), query)).toEqual({ kind: 'not_found' });
  });
});
