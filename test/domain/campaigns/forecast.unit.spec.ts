import { step } from './support/definitions.js';
import { always, by, daily, DAY, enrolled, HOUR, many, played, sceneOf, START } from './support/scenes.js';

const retried = { steps: [step('first', { retry: { no_answer: ['PT2H', 'P1D'] } }), step('second')] };

test('calls retry, move on and end as the definition says', () => {
  const { made, at, ...result } = played(sceneOf({ assume: always('no_answer') }, retried), [enrolled()]);
  expect(made.map(({ seq, stepKey, outcome }) => [seq, stepKey, outcome])).toEqual([
    [1, 'first', 'no_answer'],
    [2, 'first', 'no_answer'],
    [3, 'first', 'no_answer'],
    [4, 'second', 'no_answer'],
  ]);
  // Each delay counts from the end of a call of one minute.
  expect(at).toEqual([
    '2027-03-01T15:00:00.000Z',
    '2027-03-01T17:01:00.000Z',
    '2027-03-02T17:02:00.000Z',
    '2027-03-02T17:03:00.000Z',
  ]);
  expect(result).toEqual({
    enrollments: 1,
    dials: 4,
    outcomes: { no_answer: 4 },
    ended: { no_response: 1 },
    live: 0,
    dialsByHour: [
      { hour: '2027-03-01T15:00:00.000Z', dials: 1, skipped: {} },
      { hour: '2027-03-01T17:00:00.000Z', dials: 1, skipped: {} },
      { hour: '2027-03-02T17:00:00.000Z', dials: 2, skipped: {} },
    ],
    firstDialAt: at[0],
    lastDialAt: at[3],
    finish: '2027-03-02T17:04:00.000Z',
    waitingFor: {},
    skipped: {},
    concurrencyPeak: 1,
    concurrencyNeeded: 1,
    activeAtStart: 0,
    overLimitUntil: null,
  });
});

test('the wall clock of the contact changes: the same hour of the day is another hour of UTC', () => {
  // Clocks go forward on 14 March in New York, and on 28 March in Berlin.
  const from = Date.parse('2027-03-12T00:00:00Z');
  const definition = { steps: [step('first', { retry: { no_answer: ['P1D', 'P1D', 'P1D'] } })] };
  const scene = sceneOf(
    {
      from,
      until: from + 6 * DAY,
      assume: always('no_answer'),
      ...by({ callingHours: daily('09:00', '17:00') }),
    },
    definition,
  );
  const contacts = ['America/New_York', 'Europe/Berlin'].map((contactTimezone, n) =>
    enrolled({ number: `+1415555010${n}`, contactTimezone }, { enrolledAt: new Date(from) }),
  );
  const { dialsByHour } = played(scene, contacts);
  const hours = dialsByHour.map(({ hour, dials, skipped }) => [hour.slice(5, 13), dials, skipped]);
  expect(hours).toEqual([
    // Closed in both at midnight of UTC.
    ['03-12T00', 0, { hours: 2 }],
    ...['12', '13'].flatMap((date) => [
      [`03-${date}T08`, 1, {}],
      [`03-${date}T14`, 1, {}],
    ]),
    ...['14', '15'].flatMap((date) => [
      [`03-${date}T08`, 1, {}],
      [`03-${date}T13`, 1, {}],
    ]),
  ]);
});

test('closed dates of the agent and of the version defer to the next opening', () => {
  const scene = sceneOf(by({ closedDates: ['2027-03-01'], callingHours: daily('09:00', '17:00') }), {
    closedDates: ['2027-03-02'],
  });
  const { at, skipped, dialsByHour } = played(scene, [enrolled()]);
  expect(at).toEqual(['2027-03-03T14:00:00.000Z']);
  expect(skipped).toEqual({ hours: 1 });
  expect(dialsByHour[0]).toEqual({ hour: '2027-03-01T15:00:00.000Z', dials: 0, skipped: { hours: 1 } });
});

test('a retry that is due outside the hours counts where it is due', () => {
  const scene = sceneOf(
    { assume: always('no_answer'), ...by({ callingHours: daily('09:00', '17:00') }) },
    {
      steps: [step('first', { retry: { no_answer: ['PT8H'] } })],
    },
  );
  const { dialsByHour } = played(scene, [enrolled()]);
  expect(dialsByHour).toEqual([
    { hour: '2027-03-01T15:00:00.000Z', dials: 1, skipped: {} },
    { hour: '2027-03-01T23:00:00.000Z', dials: 0, skipped: { hours: 1 } },
    { hour: '2027-03-02T14:00:00.000Z', dials: 1, skipped: {} },
  ]);
});

describe('enrollments that are not dialed', () => {
  const undialed = (
    scene: Parameters<typeof sceneOf>[0],
    fields: Parameters<typeof enrolled>[0] = {},
    state: Parameters<typeof enrolled>[1] = {},
  ) => {
    const { dials, skipped, live, waitingFor, ended } = played(sceneOf(scene), [enrolled(fields, state)]);
    expect(dials).toBe(0);
    return { skipped, live, waitingFor, ended };
  };
  const held = (rule: string) => ({ skipped: { [rule]: 1 }, live: 1, waitingFor: { [rule]: 1 }, ended: {} });
  const team = sceneOf().team;

  test('numbers on Do Not Call, also those that it has ended before', () => {
    const ended = { skipped: { DO_NOT_CALL: 1 }, live: 0, waitingFor: {}, ended: { suppressed: 1 } };
    expect(undialed({}, { onDoNotCall: true })).toEqual(ended);
    expect(played(sceneOf({ suppressed: 3 }), [enrolled()])).toMatchObject({
      dials: 1,
      skipped: { DO_NOT_CALL: 3 },
    });
  });

  test('what is paused', () => {
    expect(undialed({}, {}, { paused: true })).toEqual(held('paused'));
    expect(undialed({ paused: true })).toEqual(held('paused'));
    expect(undialed({ campaignStatus: 'paused' })).toEqual(held('paused'));
  });

  test('what configuration refuses', () => {
    expect(undialed({ team: { ...team, whitelistOnly: true } })).toEqual(held('NOT_WHITELISTED'));
    expect(undialed({ team: { ...team, allowedCountries: ['DE'] } })).toEqual(held('COUNTRY_NOT_ALLOWED'));
    expect(undialed({ team: { ...team, monthlyCallLimit: 0 } })).toEqual(held('PLAN_LIMIT'));
    expect(undialed(by({ hasCallerId: false }))).toEqual(held('caller_id'));
  });

  test('deleted contacts, and the lifetime that a hold outlasts, also without steps', () => {
    expect(undialed({}, { contactDeleted: true }).ended).toEqual({ contact_deleted: 1 });
    const paused = enrolled({}, { paused: true });
    expect(played(sceneOf({}, { caps: { lifetime: 'P3D' } }), [paused])).toMatchObject({
      ended: { lifetime: 1 },
      skipped: { paused: 1 },
      finish: '2027-03-04T15:00:00.000Z',
    });
    const withoutSteps = sceneOf({}, { steps: [], caps: { lifetime: 'P3D' } });
    expect(played(withoutSteps, [enrolled()])).toMatchObject({
      dials: 0,
      ended: { lifetime: 1 },
      skipped: {},
      finish: '2027-03-04T15:00:00.000Z',
    });
  });

  test('by an agent that was deleted, at a step that is gone, and without steps', () => {
    expect(undialed(by({ deleted: true })).ended).toEqual({ not_dialable: 1 });
    expect(undialed({}, {}, { stepKey: 'gone' }).ended).toEqual({ not_dialable: 1 });
    expect(played(sceneOf({}, { steps: [] }), [enrolled()])).toMatchObject({ dials: 0, live: 1 });
  });
});

test('the re-dial window, number limits and caps defer', () => {
  const before = enrolled({ processedAt: [START - HOUR] });
  const first = (scene: ReturnType<typeof sceneOf>, one = before) => {
    const { at, skipped } = played(scene, [one]);
    return [at[0], skipped];
  };
  expect(first(sceneOf())).toEqual(['2027-03-02T02:00:00.000Z', { RECENTLY_CALLED: 1 }]);
  const limited = { ...sceneOf().team, numberDailyLimit: 1 };
  expect(first(sceneOf({ team: limited }))).toEqual([
    '2027-03-02T14:00:00.000Z',
    expect.objectContaining({ NUMBER_LIMIT_DAILY: 1 }),
  ]);
  const caps = { perNumber: [{ count: 1, per: 'P2D' }], afterConversation: 'P3D' };
  expect(first(sceneOf({}, { caps }))[0]).toBe('2027-03-03T14:00:00.000Z');
  const talked = enrolled({ processedAt: [START - DAY], lastConversationAt: START - DAY });
  expect(first(sceneOf({}, { caps }), talked)).toEqual(['2027-03-03T15:00:00.000Z', { caps: 1 }]);
});

test('nothing at or after `until` is dialed', () => {
  const scene = sceneOf({ until: START + DAY, assume: always('no_answer') }, retried);
  const { dials, finish, live, waitingFor } = played(scene, [enrolled()]);
  expect({ dials, finish, live, waitingFor }).toEqual({
    dials: 2,
    finish: null,
    live: 1,
    waitingFor: { retry: 1 },
  });
});

test('the same seed draws the same, another one something else', () => {
  const assume = { completed: 0.3, no_answer: 0.4, busy: 0.1, voicemail: 0.1, seconds: 60 };
  const outcomes = (seed: number) =>
    played(sceneOf({ seed, assume }), many(200)).made.map(({ outcome }) => outcome);
  expect(outcomes(7)).toEqual(outcomes(7));
  expect(outcomes(7)).not.toEqual(outcomes(8));
});
