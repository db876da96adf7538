import fc from 'fast-check';

/** Times are minutes. */
export interface PlannedCall {
  outcome: string;
  /** From the claim to the call's end, and from there to the recording. */
  lasts: number;
  recordedAfter: number;
  /** Of an unknown outcome: how it is resolved, counted from its recording; null: never. */
  resolution: { after: number; outcome: string } | null;
  /** Counted from the claim. */
  result: { after: number; disposition: string | null; callbackIn: number | null } | null;
}

/** In minutes. */
export const DAY = 1440;

export const chance = (percent: number) => fc.integer({ min: 1, max: 100 }).map((drawn) => drawn <= percent);
export const rarely = <T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.tuple(chance(percent), arbitrary).map(([kept, value]) => (kept ? value : null));
export const minutes = (max: number) => fc.integer({ min: 0, max });

const finals = ['completed', 'no_answer', 'busy', 'voicemail', 'failed'];
const call: fc.Arbitrary<PlannedCall> = fc.record({
  outcome: fc.constantFrom(...finals, ...finals, 'no_answer', 'busy', 'unknown', 'not_dialed', 'refused'),
  lasts: fc.integer({ min: 1, max: 12 }),
  recordedAfter: fc.oneof(fc.constant(0), minutes(90)),
  resolution: rarely(70, fc.record({ after: minutes(3 * DAY), outcome: fc.constantFrom(...finals) })),
  result: rarely(
    60,
    fc.record({
      after: minutes(40),
      disposition: fc.constantFrom('yes', 'later', 'later', 'later', 'no', 'other', null),
      callbackIn: rarely(70, fc.integer({ min: -60, max: 2 * DAY })),
    }),
  ),
});

/**
 * A carrier that does not take a call ever again, and a contact who asks to be called back: chance alone has
 * few of them.
 */
export const calls: fc.Arbitrary<PlannedCall[]> = fc.oneof(
  { weight: 6, arbitrary: fc.array(call, { minLength: 1, maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(call, fc.constantFrom('refused', 'not_dialed'), fc.integer({ min: 2, max: 9 }))
      .map(([one, outcome, times]) => Array.from({ length: times }, () => ({ ...one, outcome }))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.array(call, { maxLength: 2 }),
        call,
        minutes(DAY),
        fc.array(call, { minLength: 1, maxLength: 4 }),
      )
      .map(([before, one, callbackIn, after]) => [
        ...before,
        { ...one, outcome: 'completed', result: { after: 0, disposition: 'later', callbackIn } },
        ...after,
      ]),
  },
);
