import {
  always,
  by,
  daily,
  DAY,
  enrolled,
  HOUR,
  many,
  MINUTE,
  played,
  sceneOf,
  START,
} from './support/scenes.js';

test('the plan limit holds until the next month', () => {
  const scene = sceneOf({
    until: START + 40 * DAY,
    team: { ...sceneOf().team, monthlyCallLimit: 10 },
    planUsed: { at: START, calls: 7 },
  });
  const { at, skipped, live } = played(scene, many(5));
  expect(at.map((instant) => instant.slice(0, 7))).toEqual([
    '2027-03',
    '2027-03',
    '2027-03',
    '2027-04',
    '2027-04',
  ]);
  expect([skipped, live]).toEqual([{ PLAN_LIMIT: 2 }, 0]);
});

describe('shared limits', () => {
  test('calls wait for a concurrency slot, and the forecast says how many were needed', () => {
    const scene = sceneOf({ concurrency: 2 });
    const { at, skipped, ...result } = played(scene, many(5));
    const after = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
    expect(at).toEqual([after(0), after(0), after(1), after(1), after(2)]);
    expect(skipped).toEqual({ concurrency: 3 });
    expect(result).toMatchObject({ concurrencyPeak: 2, concurrencyNeeded: 5, finish: after(3) });
  });

  test('the campaign’s own limits apply, for any requested limit', () => {
    const pacing = { maxConcurrentCalls: 3, callsPerMinute: 2 };
    const scene = sceneOf({ pacing, assume: { ...always('completed'), seconds: 100 } });
    const { at, skipped, concurrencyPeak, concurrencyNeeded } = played(scene, many(6));
    const seconds = at.map((instant) => (Date.parse(instant) - START) / 1_000);
    expect(seconds).toEqual([0, 0, 60, 100, 120, 160]);
    expect([concurrencyPeak, concurrencyNeeded]).toEqual([3, 3]);
    expect(skipped).toEqual({ pacing: 4 });
  });

  test('what was due first is dialed first', () => {
    const late = enrolled({ number: '+14155550101', rank: START - HOUR });
    const early = enrolled({ number: '+14155550102', rank: START - DAY });
    const { made } = played(sceneOf({ concurrency: 1 }), [late, early]);
    expect(made.map(({ number }) => number)).toEqual([early.number, late.number]);
  });

  test('a call that waits for a concurrency slot when the hours end waits for the next opening', () => {
    const assume = { ...always('completed'), seconds: 3 * 3_600 };
    const scene = sceneOf({ concurrency: 1, assume, ...by({ callingHours: daily('09:00', '17:00') }) });
    const { at, skipped } = played(scene, many(4));
    expect(at.map((instant) => instant.slice(8, 16))).toEqual([
      '01T15:00',
      '01T18:00',
      '01T21:00',
      '02T14:00',
    ]);
    expect(skipped).toEqual({ concurrency: 3, hours: 1 });
  });
});

describe('what is under way as the clock begins', () => {
  const attempt = (fields: object) => ({
    stepKey: 'first',
    callback: false,
    processedAt: new Date(START - MINUTE),
    outcome: null,
    endedAt: null,
    recordedAt: null,
    result: null,
    ...fields,
  });
  const going = enrolled({ processedAt: [START - MINUTE] }, { stepKey: 'first', attempts: [attempt({})] });

  test('a call ends after the assumed time, by the draw of its own number', () => {
    const { dials, outcomes, ended, concurrencyPeak } = played(sceneOf({ assume: always('no_answer') }), [
      going,
    ]);
    expect({ dials, outcomes, ended, concurrencyPeak }).toEqual({
      dials: 0,
      outcomes: { no_answer: 1 },
      ended: { no_response: 1 },
      concurrencyPeak: 1,
    });
  });

  test('a limit that is exceeded at the start is reported, until the calls have ended', () => {
    const active = Array.from({ length: 3 }, (_, n) =>
      enrolled({ number: `+1415555020${n}` }, { stepKey: 'first', attempts: [attempt({})] }),
    );
    const { activeAtStart, overLimitUntil, concurrencyPeak, at } = played(
      sceneOf({ concurrency: 2, assume: always('completed') }),
      [...active, enrolled()],
    );
    const ended = new Date(START + MINUTE).toISOString();
    expect({ activeAtStart, overLimitUntil, concurrencyPeak }).toEqual({
      activeAtStart: 3,
      overLimitUntil: ended,
      concurrencyPeak: 3,
    });
    expect(at).toEqual([ended]);
    const within = played(sceneOf({ concurrency: 3, assume: always('completed') }), active);
    expect(within).toMatchObject({ activeAtStart: 3, overLimitUntil: null });
  });

  test('an unknown outcome holds', () => {
    const unknown = attempt({ outcome: 'unknown', recordedAt: new Date(START) });
    const { skipped, live } = played(sceneOf(), [enrolled({}, { stepKey: 'first', attempts: [unknown] })]);
    expect([skipped, live]).toEqual([{ outcome: 1 }, 1]);
  });

  test('another call to the number is dialed when it is due, and counts after that', () => {
    const { at, skipped } = played(sceneOf(), [enrolled({ otherCall: { dialedAt: START + HOUR } })]);
    expect(at).toEqual(['2027-03-02T04:00:00.000Z']);
    expect(skipped).toEqual({ number_busy: 1, RECENTLY_CALLED: 1 });
  });
});
