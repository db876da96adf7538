import { type CallResource } from '../../src/calls/records/calls-admin.service.js';
import { type TestDatabase } from '../support/database.js';
import { Calling } from '../support/calling.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { nextNumber } from '../support/builders.js';
import { CliTerminal } from './terminal.js';

let calling: Calling;
let cli: CliTerminal;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  cli = new CliTerminal({ url: calling.world.config.databaseUrl } as TestDatabase);
  caller = await buildCaller(calling.db, { monthly_call_limit: 100 });
});

afterAll(() => calling.close());

const explain = async (id: string, teamId = caller.teamId) => {
  const { code, out } = await cli.run('call', 'explain', id, '--team', teamId);
  expect(code).toBe(0);
  return out;
};

/** The id of a call that its rules refused. */
async function refused(phoneNumber: string, of = caller): Promise<string> {
  const { status } = await calling.trigger(of, { phoneNumber });
  expect(status).toBeGreaterThanOrEqual(400);
  const rows = await calling.rows(of.teamId);
  return rows.filter((row) => row.phone_number === phoneNumber).at(-1)!.id;
}

test('calls are listed by status and number, and shown whole', async () => {
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber, plan: 'gold' });
  const team = ['--team', caller.teamId];
  const list = await cli.json('call', 'list', ...team, '--status', 'queued', '--phone-number', phoneNumber);
  expect(list).toMatchObject({ items: [{ id, phoneNumber }] });
  const ofAgent = await cli.json('call', 'list', ...team, '--agent-id', caller.agentId, '--reason', '-');
  expect(ofAgent).toMatchObject({ items: [{ id }] });
  const later = ['--accepted-from', '2999-01-01T00:00:00Z'];
  expect(await cli.json('call', 'list', ...team, ...later)).toMatchObject({ items: [] });
  const shown = await cli.json<CallResource>('call', 'show', id, ...team);
  expect(shown).toMatchObject({
    id,
    status: 'queued',
    variables: { plan: 'gold' },
    decisions: [{ allow: true }],
  });
  expect(await cli.run('call', 'list', ...team, '--status', 'lost')).toMatchObject({
    code: 2,
    told: expect.stringMatching(/^--status must be one of scheduled, /) as unknown,
  });
});

test('a pending call is explained, canceled, and explained again', async () => {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  expect(await explain(id)).toMatch(
    /Not called yet: due since .*Z, .* ago\. It waits for a worker or for a pacing slot of its carrier\. It expires on .*Z\./,
  );
  await cli.run('team', 'pause', caller.teamId);
  expect(await explain(id)).toContain('its team is paused');
  await cli.run('pause');
  expect(await explain(id)).toContain('all calls are paused');
  await cli.run('resume');
  await cli.run('team', 'resume', caller.teamId);

  const cancel = ['call', 'cancel', id, '--team', caller.teamId];
  expect(await cli.json(...cancel)).toMatchObject({ status: 'canceled' });
  expect(await cli.run(...cancel)).toMatchObject({
    code: 1,
    told: 'The call is canceled and can no longer be canceled.',
  });
  expect(await explain(id)).toContain('Not called: an operator canceled it.');
});

test('the history of a call is shown as text, also when it is canceled', async () => {
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  const instant = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
  const shown = await cli.run('call', 'show', id, '--team', caller.teamId);
  expect(shown.out).toMatch(new RegExp(`^phoneNumber +\\${phoneNumber}$`, 'm'));
  expect(shown.out).toMatch(new RegExp(`\n\nWhat happened:\n  ${instant}  Queued  Requested\n\n`));
  expect(shown.out).toContain('When it was requested: allowed');
  expect(shown.out).toMatch(/ {2}passed +Do Not Call: The number was not on the list\./);
  const canceled = await cli.run('call', 'cancel', id, '--team', caller.teamId);
  expect(canceled.out).toMatch(/^status +canceled$/m);
  expect(canceled.out).toMatch(
    new RegExp(
      `What happened:\n  ${instant}  Queued    Requested\n  ${instant}  Canceled  Canceled by an operator\n\nWhen it was requested: allowed`,
    ),
  );
  for (const { out } of [shown, canceled]) expect(out).not.toMatch(/"(?:at|rules)":/);
});

test('a scheduled call shows what it waits for', async () => {
  const closed = await buildCaller(calling.db, {}, hoursOpeningIn(3));
  const id = await calling.accepted(closed, { phoneNumber: nextNumber() });
  const out = await explain(id, closed.teamId);
  expect(out).toMatch(/to be dialed on .*Z, in .*\. It waits for its calling hours\. It expires on /);
  expect(out).toContain('No guardrail has been evaluated');
});

test('a call over its team’s concurrency limit shows that it waits for a slot, not for a worker', async () => {
  const crowded = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const worker = await calling.startIdleWorker();
  // The first call holds the slot for the whole test.
  calling.setRules({ match: '*', outcome: 'silent', listed: false });
  for (const waits of [false, true]) {
    const id = await calling.accepted(crowded, { phoneNumber: nextNumber() });
    await worker.fire(id);
    const out = await explain(id, crowded.teamId);
    expect(out.includes('it waits since')).toBe(waits);
    expect(out.includes('for a concurrency slot')).toBe(waits);
    expect(out).not.toContain('waits for a worker');
  }
});

test('a call whose carrier is unreachable shows when it is tried again', async () => {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.db.query(
    `UPDATE call_requests SET woken_at = outdial_now() + interval '30 minutes' WHERE id = $1`,
    [id],
  );
  expect(await explain(id)).toMatch(
    /Not called yet: its carrier could not be reached, or its carrier account has .*; due since .*\. It is tried again on .*Z, in 29 min/,
  );
});

test('a refusal shows its rule and the evidence', async () => {
  const listed = nextNumber();
  await cli.run('dnc', 'add', listed, '--team', caller.teamId);
  const onList = await explain(await refused(listed));
  expect(onList).toContain('Not called: the number is on the Do Not Call list.');
  expect(onList).toContain('REFUSED  Do Not Call: The number was on the list.');
  expect(onList).toMatch(/passed {3}Monthly plan: \d+ of the month’s 100 calls were used\./);

  const twice = nextNumber();
  const older = await calling.accepted(caller, { phoneNumber: twice });
  expect(await explain(await refused(twice))).toContain(
    `An older call to the number was waiting. It is ${older}.`,
  );

  const strict = await buildCaller(calling.db, {
    whitelist_only: true,
    number_daily_limit: 0,
    monthly_call_limit: 0,
  });
  const out = await explain(await refused(nextNumber(), strict), strict.teamId);
  expect(out).toContain('Not called: the number is not on the team’s whitelist.');
  expect(out).toContain(
    'REFUSED  This number, 24 hours: No other call to the number in the 24 hours before; the limit is 0.',
  );
  expect(out).toContain('REFUSED  Monthly plan: 0 of the month’s 0 calls were used.');
});

test('a call that an addition to the Do Not Call list ended shows that it has no decision', async () => {
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  await cli.run('dnc', 'add', phoneNumber, '--team', caller.teamId);
  expect(await explain(id)).toContain('the number was added to the Do Not Call list while the call waited');
});

test('dialed, refused and unknown calls are shown; the unknown one is resolved', async () => {
  const [reached, rejected, silent] = [nextNumber(), nextNumber(), nextNumber()];
  const worker = await calling.startIdleWorker();
  calling.setRules(
    { match: rejected, outcome: 'refuse' },
    { match: silent, outcome: 'error', listed: false },
  );
  const fired = async (phoneNumber: string) => {
    const id = await calling.accepted(caller, { phoneNumber });
    await worker.fire(id);
    return id;
  };
  expect(await explain(await fired(reached))).toMatch(
    new RegExp(`Called on .*Z[,;] .*\\. Its caller ID is \\${caller.callerNumber}\\.`),
  );
  expect(await explain(await fired(rejected))).toMatch(/Not called: the carrier refused it/);

  const id = await fired(silent);
  expect(await explain(id)).toMatch(
    /Perhaps called on .*Z: the carrier gave no clear answer: carrier http 500\. .* resolve it/,
  );
  const resolve = ['call', 'resolve', id, '--team', caller.teamId, '--outcome'];
  expect(await cli.run(...resolve, 'lost')).toMatchObject({
    code: 2,
    told: expect.stringMatching(/^--outcome must be one of completed/) as unknown,
  });
  expect(await cli.json(...resolve, 'no_answer')).toMatchObject({ status: 'no_answer' });
  expect(await cli.run(...resolve, 'completed')).toMatchObject({
    code: 1,
    told: 'The call is no_answer; only dial_unknown can be resolved.',
  });
});

test('many calls are counted first, and canceled with --yes', async () => {
  const own = await buildCaller(calling.db, {}, hoursOpeningIn(3));
  const ids = [
    await calling.accepted(own, { phoneNumber: nextNumber() }),
    await calling.accepted(own, { phoneNumber: nextNumber() }),
  ];
  const filters = ['--team', own.teamId, '--status', 'scheduled', '--agent-id', own.agentId];
  const matching = ['call', 'cancel', ...filters];
  expect(await cli.run(...matching)).toMatchObject({
    code: 0,
    out: '2 calls can be canceled. --yes cancels them.',
  });
  expect(await calling.rows(own.teamId)).toMatchObject([{ status: 'scheduled' }, { status: 'scheduled' }]);
  expect(await cli.json(...matching, '--yes')).toEqual({ matching: 2, canceled: 2, remaining: 0 });
  for (const id of ids) expect(await explain(id, own.teamId)).toContain('an operator canceled it');
  expect(await cli.run(...matching)).toMatchObject({ out: 'No pending call matches.' });
  expect(await cli.run('call', 'cancel', ids[0] ?? '', ...filters)).toMatchObject({
    code: 2,
    told: expect.stringContaining('Give the id of a call or --status, not both') as unknown,
  });
  expect(await cli.run('call', 'cancel', '--team', own.teamId)).toMatchObject({ code: 2 });
});
