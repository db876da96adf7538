import { type Stage } from './call-reasons.js';
import { type KnownOperation } from './conformance.js';
import { type Changed } from './prober.js';

const operationsWith = ({ prober }: Stage, status: number): KnownOperation[] =>
  prober.operations.filter(({ operation }) => String(status) in operation.responses);

/** The tests that ask every operation with input that it refuses before it looks at the team's rows. */
export function describeBadInput(stage: () => Stage): void {
  test('malformed and large bodies and queries are refused as documented', async () => {
    for (const known of operationsWith(stage(), 400)) {
      const reads = known.operation.requestBody !== undefined;
      // A malformed row of an import is no fault of its file.
      const isImport = known.operation.operationId === 'createImport';
      const bad: Changed = reads && !isImport ? { body: '{' } : { query: 'limit=0&force=0&scope=0' };
      const { status, body } = await stage().prober.ask(known, stage().team, bad);
      expect([known.path, status]).toEqual([known.path, 400]);
      stage().reasons.add(body.reason);
    }
    for (const known of operationsWith(stage(), 413)) {
      const { status, body } = await stage().prober.ask(known, stage().team, {
        // Longer than the longest report of a carrier.
        body: JSON.stringify('x'.repeat(2_200_000)),
      });
      expect([known.path, status]).toEqual([known.path, 413]);
      stage().reasons.add(body.reason);
    }
    for (const known of operationsWith(stage(), 415)) {
      const encoding = known.operation.operationId === 'createImport' ? 'br' : 'gzip';
      const { status, body } = await stage().prober.ask(known, stage().team, {
        headers: { 'Content-Encoding': encoding },
        ...(known.operation.requestBody === undefined && { body: '{}' }),
      });
      expect([known.path, status]).toEqual([known.path, 415]);
      stage().reasons.add(body.reason);
    }
    const create = stage().prober.named('createContact');
    const known = { body: { phoneNumber: stage().team.numbers.contact } };
    const { status } = await stage().prober.ask(create, stage().team, known);
    expect(status).toBe(400);
  });
}
