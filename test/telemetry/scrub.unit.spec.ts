import { requestIdFrom } from '../../src/telemetry/request-id.js';
import { scrub } from '../../src/telemetry/scrub.js';

test.each([
  ['to +14155552671 from', 'to +141•••71 from'],
  ['+1 (415) 555-2671', '+141•••71'],
  ['+44 20 7946 0958', '+442•••58'],
  ['+49.30.901820', '+493•••20'],
  ['Key (team_id, phone_number)=(5, +14155552671)', 'Key (team_id, phone_number)=(5, +141•••71)'],
  ['{"a":"+14155552671","b":"+442079460958"}', '{"a":"+141•••71","b":"+442•••58"}'],
  ['mail ada@example.com, now', 'mail •••, now'],
  ['{"email":"a.b+c@mail.example.co.uk"}', '{"email":"•••"}'],
  ['key od_live_9aZ and od_test_00ff', 'key od_••• and od_•••'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer •••'],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic •••"}'],
  ['postgres://outdial:hush@db:5432/outdial', 'postgres://•••@db:5432/outdial'],
  ['redis://:p%40ss@cache', 'redis://•••@cache'],
])('%s', (text, expected) => {
  expect(scrub(text)).toBe(expected);
});

test.each([
  '2026-03-02T12:00:00.000+00:00',
  'call 550e8400-e29b-41d4-a716-446655440000 after 1500 ms',
  'at fire (/srv/node_modules/@nestjs/core/router.js:12:34)',
  '1 + 2 = 3',
  'POST /api/voice-agents/:agentId/calls',
])('%s is unchanged', (text) => {
  expect(scrub(text)).toBe(text);
});

describe('a request id', () => {
  test.each([
    'abc',
    '550e8400-e29b-41d4-a716-446655440000',
    'Root=1-67891233-abcdef012345678912345678',
    'x'.repeat(128),
  ])('%s is accepted', (id) => expect(requestIdFrom(id)).toBe(id));

  test.each([
    undefined,
    '',
    'two words',
    'x'.repeat(129),
    'ümlaut',
    'a\tb',
    '+14155552671',
    'ada@example.com',
    'od_live_secret',
    ['a', 'b'],
  ])('%j is replaced', (id) => {
    expect(requestIdFrom(id)).toMatch(/^[\da-f-]{36}$/);
  });
});
