import { randomUUID } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createApi } from '../../src/api.js';
import {
  evaluateGuardrails,
  GUARDRAIL_REASONS,
  guardrailOf,
} from '../../src/domain/guardrails/guardrails.js';
import { guardrailFacts, NOW, OLDER_CALL, REFUSING, ruleOf } from '../domain/support/facts.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { stopClock } from '../support/clock.js';
import { buildStoredCall } from '../support/number-history.js';
import { CapturedLog } from '../telemetry/log-lines.js';
import { section, OperationsClient, textOf } from '../operations/operations-client.js';
import { buildHostileCall, CLAIM, TOLD } from './told-calls.js';

const ALLOWED = evaluateGuardrails(guardrailFacts(), NOW);
const log = new CapturedLog();
let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;
let caller: Caller;

beforeAll(async () => {
  world = await createWorld();
  app = await createApi(world.config, log.logger);
  await app.listen(0, '127.0.0.1');
  await stopClock(world.db, NOW.toISOString());
  pages = await OperationsClient.signedIn(app);
  const team = { name: 'Clinics', timezone: 'America/New_York', default_country: 'US' };
  caller = await buildCaller(world.db, team, { name: 'Reminder agent' });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const address = (phoneNumber: string, more = '') =>
  `/t/${caller.teamId}/numbers?phoneNumber=${encodeURIComponent(phoneNumber)}${more}`;

/** A call to a number of its own, as it is told there. */
async function told(row: Row): Promise<string> {
  const phoneNumber = nextNumber();
  const atNow = { accepted_at: NOW, runs_at: NOW, woken_at: NOW };
  await buildStoredCall(world.db, caller, phoneNumber, { ...atNow, ...row });
  return section(await pages.page(address(phoneNumber)), 'calls');
}

describe('the page of a number', () => {
  test.each(TOLD)('%j', async (row, sentence) => {
    expect(await told(row)).toContain(sentence);
  });

  test.each(GUARDRAIL_REASONS)('shows the evidence of %s as text', async (reason) => {
    const decision = evaluateGuardrails(guardrailFacts(REFUSING[reason]), NOW);
    const explanations: Partial<Record<typeof reason, string>> = {
      COUNTRY_NOT_ALLOWED: 'The number is in US; the team calls DE, FR.',
      NOT_WHITELISTED: 'The number is not on the whitelist, and the team calls no other.',
      PLAN_LIMIT: '5 of the month’s 5 calls were used. It would agree again from Mon 2026-11-30 19:00.',
      NUMBER_LIMIT_DAILY: 'No other call to the number in the 24 hours before; the limit is 0.',
      NUMBER_LIMIT_WEEKLY: 'No other call to the number in the 7 days before; the limit is 0.',
      NUMBER_LIMIT_MONTHLY: 'No other call to the number in the 30 days before; the limit is 0.',
      DO_NOT_CALL: 'The number was on the list.',
      RECENTLY_CALLED:
        'The last call before it was on Fri 2026-11-20 09:00. It would agree again from Fri 2026-11-20 21:00.',
      ALREADY_SCHEDULED: 'An older call to the number was waiting. That call',
      COOL_OFF: 'allows no call for 7 days; the last conversation ended on Fri 2026-11-20 09:00',
    };
    // A guardrail that is not in the contract has an explanation of its own.
    const own = guardrailOf(reason)?.explain(ruleOf(decision, reason), (instant) => instant);
    const expected = explanations[reason] ?? own;
    const text = await told({ status: 'blocked', reason, decisions: [decision] });
    expect(text).toContain('When it was requested: refused Fri 2026-11-20 10:00');
    expect(text).toContain(expected);
    const allowed = await told({ status: 'completed', ...CLAIM, decisions: [ALLOWED] });
    expect(allowed).toContain('When it was requested: allowed');
    expect(allowed).not.toContain(expected);
    // What is not known about a place is said.
    const strange = reason === 'UNKNOWN_LOCATION' ? /undefined|\[object/ : /unknown|undefined|\[object/;
    expect(textOf(text)).not.toMatch(strange);
  });

  test('shows every decision and transition, oldest first, and the older call that refused', async () => {
    const later = new Date('2026-11-20T20:00:00Z');
    const decisions = [ALLOWED, evaluateGuardrails(guardrailFacts(REFUSING.ALREADY_SCHEDULED), later)];
    const history = [
      { at: NOW.toISOString(), from: null, to: 'queued', cause: 'triggered' },
      { at: '2026-11-20T15:00:07.000Z', from: 'queued', to: 'scheduled', cause: 'outside_calling_hours' },
      { at: later.toISOString(), from: 'scheduled', to: 'blocked', cause: 'blocked' },
    ];
    const phoneNumber = nextNumber();
    const row = { status: 'blocked', reason: 'ALREADY_SCHEDULED', accepted_at: NOW, decisions, history };
    await buildStoredCall(world.db, caller, phoneNumber, row);
    const page = await pages.page(address(phoneNumber));
    expect(textOf(page)).toMatch(
      /When it was requested: allowed Fri 2026-11-20 10:00 .*When it was about to be dialed: refused Fri 2026-11-20 15:00 .*Requested → Queued .*10:00:07 Due outside calling hours, so it waits for the next opening → Scheduled .*Refused when it was about to be dialed → Blocked/,
    );
    expect(page).toContain(`/t/${caller.teamId}/calls/${OLDER_CALL}`);
  });

  test('shows a decision that was stored in another format', async () => {
    const decisions = [
      null,
      'x',
      {},
      { at: 1 },
      {
        at: NOW.toISOString(),
        allow: false,
        rules: [{ reason: 'NEW_RULE', allow: false, evidence: { a: 1 } }],
      },
    ];
    const text = await told({
      status: 'blocked',
      reason: 'NEW_RULE',
      decisions,
      history: JSON.stringify([null, 1, { to: 'x' }]),
    });
    expect(text).toContain('Not called: new rule.');
    expect(text).toContain('New rule. {"a":1}');
  });
});

test('finds a number in national form, and with a plus typed into the address', async () => {
  await buildStoredCall(world.db, caller, '+14155552671', { status: 'canceled' });
  for (const typed of ['%2B1%20(415)%20555-2671', '(415)%20555-2671', '+14155552671'])
    expect(await pages.page(`/t/${caller.teamId}/numbers?phoneNumber=${typed}`)).toContain(
      '<h1><data class="phone" value="+14155552671">',
    );
});

test('shows the history of a number of an unknown range', async () => {
  const { id } = await buildStoredCall(world.db, caller, '+14365550123', { status: 'canceled' });
  const page = await pages.page(address('+1 436 555 0123'));
  expect(page).toContain('<h1><data class="phone" value="+14365550123">');
  expect(page).toContain(`/t/${caller.teamId}/calls/${id}`);
});

test('shows a long history in pages', async () => {
  const phoneNumber = nextNumber();
  for (let i = 0; i < 51; i += 1)
    await buildStoredCall(world.db, caller, phoneNumber, {
      status: 'canceled',
      accepted_at: new Date(NOW.getTime() - i * 60_000),
    });
  const first = await pages.page(address(phoneNumber));
  expect(first.match(/data-call=/g)).toHaveLength(50);
  const [, cursor = ''] = /cursor=([\w-]+)/.exec(first) ?? [];
  const second = await pages.page(address(phoneNumber, `&cursor=${cursor}`));
  expect(second.match(/data-call=/g)).toHaveLength(1);
  expect(second).not.toContain('Older calls');
});

test('links the call’s record: times, carrier, texts, and its job', async () => {
  const phoneNumber = nextNumber();
  const { id } = await buildStoredCall(world.db, caller, phoneNumber, {
    status: 'completed',
    ...CLAIM,
    carrier: 'simulator',
    carrier_call_id: 'sim-1',
    generation: 3,
    first_message: 'Hello, this is a reminder.',
    prompt: 'Be kind.',
    unknown_placeholders: ['contact.nickname'],
  });
  const page = await pages.page(`/t/${caller.teamId}/calls/${id}`);
  const text = textOf(page);
  for (const part of [
    'Clinics',
    'Reminder agent',
    '+14155550100',
    'sim-1',
    'Hello, this is a reminder.',
    'Be kind.',
    'contact.nickname',
    phoneNumber,
  ])
    expect(text).toContain(part);
  expect(page).toContain(`/admin/queues/queue/calls/call-${id}-3`);
});

test('links no job of a call that never had one: refused at its trigger, or dialed by a campaign', async () => {
  const build = (cause: string, states: string[], row: Row = { status: 'blocked' }) => {
    const history = states.map((to) => ({ at: NOW.toISOString(), from: null, to, cause }));
    return buildStoredCall(world.db, caller, nextNumber(), { history, ...row });
  };
  const dialed = { status: 'completed', ...CLAIM, enrollment_id: randomUUID() };
  for (const { id } of [await build('triggered', ['blocked']), await build('campaign', ['queued'], dialed)])
    expect(await pages.page(`/t/${caller.teamId}/calls/${id}`)).not.toContain('/admin/queues/queue/');
  const { id } = await build('triggered', ['queued', 'blocked']);
  expect(await pages.page(`/t/${caller.teamId}/calls/${id}`)).toContain(
    `/admin/queues/queue/calls/call-${id}-`,
  );
});

test.each(['numbers', 'do-not-call'])(
  '%s: a look-up without a team asks for the team, and keeps the number',
  async (path) => {
    await buildTeam(world.db, { name: 'A second team' });
    const page = await pages.page(`/platform/${path}?teamId=&phoneNumber=%2B14155552671`);
    expect(textOf(page)).toContain('Choose the team whose number you look up.');
    expect(page).toMatch(/<input name="phoneNumber"[^>]* value="\+14155552671"/);
    expect(textOf(await pages.page(`/platform/${path}`))).not.toContain('Choose the team whose');
  },
);

test('the page of the Do Not Call list shows, finds, adds and removes numbers', async () => {
  const { id: teamId } = await buildTeam(world.db, { name: 'Garages' });
  const page = `/t/${teamId}/do-not-call`;
  expect(section(await pages.page(page), 'list')).toContain('It is empty');
  const [one, two] = [nextNumber(), nextNumber()];
  const added = await pages.submit(page, `/t/${teamId}/do-not-call`, {
    phoneNumbers: ` ${one}\r\n\r\n${two},${one}\n`,
    reason: ' Asked by letter ',
  });
  expect(added.headers.location).toBe(page);
  const list = section(await pages.page(page), 'list');
  expect(list).toMatch(new RegExp(`\\${one} Asked by letter`));
  expect(list).toContain(two);
  const lookedUp = (number: string) => pages.page(`${page}?phoneNumber=${encodeURIComponent(number)}`);
  expect(section(await lookedUp(one), 'looked-up')).toContain('On the list Asked by letter, added ');
  expect(section(await lookedUp(nextNumber()), 'looked-up')).toContain('Not on the list');
  await pages.submit(page, `/t/${teamId}/do-not-call/remove`, { phoneNumber: one });
  expect(section(await lookedUp(one), 'looked-up')).toContain('Not on the list');
  expect(section(await lookedUp(two), 'looked-up')).toContain('On the list');
});

test('hostile names and texts are shown as text', async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&lt;`;
  const { id, other, phoneNumber } = await buildHostileCall(world.db, hostile);
  const number = `teamId=${other.teamId}&phoneNumber=${encodeURIComponent(phoneNumber)}`;
  for (const path of [
    `/t/${other.teamId}/calls/${id}`,
    `/platform/numbers?${number}`,
    `/platform/do-not-call?${number}`,
    `/t/${other.teamId}`,
  ]) {
    const page = await pages.page(path);
    expect(page).not.toMatch(/<script>|<img|<[^>]*\sonerror=/);
    expect(textOf(page)).toContain(hostile);
  }
  for (const path of [
    `/platform/numbers?phoneNumber=${encodeURIComponent(hostile)}`,
    `/platform/do-not-call?phoneNumber=${encodeURIComponent(hostile)}`,
  ])
    expect(await pages.page(path)).not.toMatch(/<script>|<img/);
  const reflected = `teamId=${encodeURIComponent(hostile)}&timezone=${encodeURIComponent(hostile)}&done=${encodeURIComponent(hostile)}`;
  for (const path of [
    `/platform?${reflected}`,
    `/platform/numbers?${reflected}`,
    `/platform/calls/${encodeURIComponent(hostile)}`,
  ])
    expect((await pages.get(path)).text).not.toMatch(/<script>|<img/);
});

test('the log contains none of the shown data', () => {
  expect(log.of('Http').length).toBeGreaterThan(30);
  expect(log.text).not.toMatch(/1415555|Asked by letter|alert\(1\)|staff-password/);
  expect(log.of('Http').map(({ route }) => route)).toContain('/t/:teamId/numbers');
});
