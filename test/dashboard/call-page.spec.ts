import { hiddenFields, section, textOf } from '../operations/operations-client.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { buildProcessedCall, buildStoredCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

const calling = Calling.ofFile();
let caller: Caller;
let calls: string;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { timezone: 'America/New_York' });
  calls = `/t/${caller.teamId}/calls`;
});

async function person(role: 'manager' | 'viewer' = 'manager'): Promise<Person> {
  const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role });
  return new Person(calling.api, cookie);
}

/** A completed call with this result. */
async function resulted(data: unknown, fields: Record<string, unknown> = {}): Promise<string> {
  const id = await buildProcessedCall(calling.db, caller, nextNumber(), '1 hour', { duration_seconds: 95 });
  await insertRow(calling.db, 'call_results', {
    call_request_id: id,
    team_id: caller.teamId,
    disposition: 'interested',
    opt_out: false,
    data: JSON.stringify(data),
    recorded_at: new Date(),
    ...fields,
  });
  return id;
}

test('shows what came of the call: summary, transcript, recording and analysis', async () => {
  const id = await resulted(
    {
      summary: 'Wants <b>more</b>',
      transcript: 'Agent: Hello\nAda: Hi',
      recordingUrl: 'https://recordings.example.com/1.mp3?a=b',
      analysis: { mood: 'good' },
      ticket: 7,
    },
    { opt_out: true },
  );
  const page = await (await person('viewer')).page(`${calls}/${id}`);
  expect(page).not.toContain('<b>more');
  const result = section(page, 'result');
  expect(result).toMatch(/Wants <b>more<\/b> Disposition interested Opt-out The person asked/);
  for (const text of ['Transcript Agent: Hello', '"mood": "good"', 'Other data', '"ticket": 7'])
    expect(result).toContain(text);
  expect(page).toContain('href="https://recordings.example.com/1.mp3?a=b" rel="noreferrer noopener"');
  expect(textOf(page)).toContain('Talked 1 min 35 s');
});

test('links only addresses of the web, and shows a long transcript in part', async () => {
  const id = await resulted({ recordingUrl: 'javascript:alert(1)', transcript: 'x'.repeat(60_000) });
  const page = await (await person()).page(`${calls}/${id}`);
  expect(page).not.toContain('javascript:');
  expect(section(page, 'result')).toContain('The beginning. The API has all of it.');
  expect(page.length).toBeLessThan(60_000);
});

test('leads to the person, with the agent chosen, to call again', async () => {
  const id = await buildProcessedCall(calling.db, caller, nextNumber(), '13 hours');
  const [row] = await calling.db.query<{ contact_id: string }[]>(
    'SELECT contact_id FROM call_requests WHERE id = $1',
    [id],
  );
  const again = `/t/${caller.teamId}/contacts/${row?.contact_id}?agent=${caller.agentId}`;
  const pages = await person();
  expect(await pages.page(`${calls}/${id}`)).toContain(`href="${again}"`);
  expect(section(await pages.page(again), 'call-now')).toContain('Would be called now');
  expect(await (await person('viewer')).page(`${calls}/${id}`)).not.toContain('Call again');
});

test('has its events with their deliveries, and those of no other call', async () => {
  const phoneNumber = nextNumber();
  const notBefore = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = async () => {
    const answer = await calling
      .http()
      .post(`/api/voice-agents/${caller.agentId}/calls?notBefore=${notBefore}`)
      .set('Authorization', `Bearer ${caller.apiKey}`)
      .send({ phoneNumber })
      .expect(200);
    return (answer.body as { callRequestId: string }).callRequestId;
  };
  const first = await scheduled();
  await calling.cancel(caller, first).expect(200);
  const second = await scheduled();
  const endpoint = await insertRow<{ id: string }>(calling.db, 'webhook_endpoints', {
    team_id: caller.teamId,
    url: 'https://hooks.example.com/outdial?secret=1',
    secret: 'whsec_',
  });
  await calling.db.query(
    `INSERT INTO webhook_deliveries (id, team_id, endpoint_id, event_id, position, sequence, type, subject, status, attempts,
       response_code, next_at, created_at)
     SELECT gen_random_uuid(), team_id, $2, id, position, 1, type, subject, 'failed', 3, 500, NULL, at
     FROM events WHERE call_id = $1 AND type = 'call.ended'`,
    [first, endpoint.id],
  );
  const page = await (await person()).page(`${calls}/${first}`);
  const events = section(page, 'events');
  expect(events).toMatch(
    /call\.scheduled .* No endpoint has it call\.ended .* Failed hooks\.example\.com 3 attempts, answered 500/,
  );
  expect(page).not.toContain('secret=1');
  const other = section(await (await person()).page(`${calls}/${second}`), 'events');
  expect(other).toContain('call.scheduled');
  expect(other).not.toContain('call.ended');
});

const stored = (id: string) =>
  calling.db.query<object[]>('SELECT disposition, opt_out FROM call_results WHERE call_request_id = $1', [
    id,
  ]);

test('a result is reported once for an ended call, with the opt-out, and audited', async () => {
  const phoneNumber = nextNumber();
  const id = await buildProcessedCall(calling.db, caller, phoneNumber, '1 hour');
  const pages = await person();
  const page = `${calls}/${id}`;
  const form = pages.post.bind(pages);
  const empty = await pages.submit(page, `${page}/result`, {});
  expect([empty.status, empty.text.includes('Enter a disposition, or tick')]).toEqual([400, true]);
  const long = await pages.submit(page, `${page}/result`, { disposition: 'x'.repeat(81) });
  expect(long.status).toBe(400);
  expect(long.text).toContain('Disposition must be a text of 1 to 80 characters');
  expect(long.text).toMatch(/<details id="report" open[^]*value="x{81}"/);
  expect(await stored(id)).toEqual([]);

  const { formToken = '' } = hiddenFields(await pages.page(page), `${page}/result`);
  const fields = { formToken, back: page, disposition: 'interested', optOut: 'true' };
  const answer = await form(`${page}/result`, fields);
  expect([answer.status, answer.headers.location]).toEqual([303, page]);
  const after = await pages.after(answer);
  expect(after).toContain('The result is stored.');
  expect(section(after, 'result')).toContain('Disposition interested');
  expect(after).not.toContain('id="report"');
  expect(await stored(id)).toEqual([{ disposition: 'interested', opt_out: true }]);
  expect(
    await calling.db.query('SELECT phone_number FROM do_not_call WHERE team_id = $1', [caller.teamId]),
  ).toEqual([{ phone_number: phoneNumber }]);
  // A form that was open meanwhile changes nothing.
  const other = await form(`${page}/result`, { ...fields, disposition: 'refused' });
  expect(other.status).toBe(400);
  expect(other.text).toMatch(/The opt-out is carried out\.[^]*The call has another result/);
  expect(await stored(id)).toEqual([{ disposition: 'interested', opt_out: true }]);
  const audited = await calling.db.query<object[]>(
    `SELECT actor_kind, target_id, after FROM audit_log WHERE team_id = $1 AND action = 'call.result_reported'`,
    [caller.teamId],
  );
  expect(audited).toEqual([{ actor_kind: 'user', target_id: id, after: { optOut: true } }]);
});

test('only a call that was dialed and has ended has the form, and only for those who may change calls', async () => {
  const dialed = await buildProcessedCall(calling.db, caller, nextNumber(), '1 hour');
  const { id: waiting } = await buildStoredCall(calling.db, caller, nextNumber(), { status: 'scheduled' });
  const { id: blocked } = await buildStoredCall(calling.db, caller, nextNumber(), { status: 'blocked' });
  const [manager, viewer] = [await person(), await person('viewer')];
  expect(await manager.page(`${calls}/${dialed}`)).toContain('id="report"');
  expect(await viewer.page(`${calls}/${dialed}`)).not.toContain('id="report"');
  for (const id of [waiting, blocked, await resulted({})])
    expect(await manager.page(`${calls}/${id}`)).not.toContain('id="report"');
});
