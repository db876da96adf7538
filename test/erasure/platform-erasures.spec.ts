import { type INestApplicationContext } from '@nestjs/common';
import { PlatformErasureWork } from '../../src/platform-erasures/platform-erasure-work.service.js';
import { type Placed, VapiWorld } from '../carriers/vapi/vapi-world.js';
import { CliTerminal } from '../cli/terminal.js';
import { OPERATOR_TOKEN } from '../support/app.js';
import { bearer } from '../support/calling.js';
import { type TestDatabase } from '../support/database.js';

// The calls of an erased person at a platform: erased there after their end, and listed until then.

const KEY = 'private-key-of-the-erasing-team';
const ended = { type: 'end-of-call-report', endedReason: 'customer-ended-call', analysis: {}, artifact: {} };

let world: VapiWorld;
let worker: INestApplicationContext;
let team: Awaited<ReturnType<VapiWorld['caller']>>;
beforeAll(async () => {
  world = await VapiWorld.start({ erasureKey: 'erasure-key-of-the-tests' });
  worker = await world.calling.startWorker();
  team = await world.caller(KEY);
});
afterAll(() => world.close());

const work = () => worker.get(PlatformErasureWork, { strict: false }).runOnce(new AbortController().signal);

async function erase({ id }: Placed): Promise<void> {
  const [row] = await world.calling.db.query<{ contact_id: string }[]>(
    `SELECT c.id AS contact_id FROM call_requests r JOIN contacts c
     ON c.team_id = r.team_id AND c.phone_number = r.phone_number WHERE r.id = $1`,
    [id],
  );
  const answer = await world.calling
    .http()
    .delete(`/api/contacts/${row?.contact_id}`)
    .set(bearer(team.caller.apiKey));
  expect(answer.status).toBe(204);
}

const deletedAtVapi = (carrierCallId: string) =>
  world.vapi.seen.filter(({ method, path }) => method === 'DELETE' && path === `/call/${carrierCallId}`)
    .length;

async function listed(): Promise<Record<string, unknown>[]> {
  const { teamId } = team.caller;
  const answer = await world.calling
    .http()
    .get(`/api/admin/teams/${teamId}/platform-erasures`)
    .set(bearer(OPERATOR_TOKEN));
  return (answer.body as { items: Record<string, unknown>[] }).items;
}

/** A call that Vapi has, and whose end it has reported, if it has ended. */
async function call(hasEnded: boolean): Promise<{ placed: Placed; carrierCallId: string }> {
  const placed = await world.place(team.caller);
  await world.until(placed, 'in_progress');
  if (hasEnded) {
    await world.report(placed, ended, { status: 'ended' });
    await world.until(placed, 'completed');
  }
  return { placed, carrierCallId: world.callOf(placed).id };
}

const dueNow = () =>
  world.calling.db.query(`UPDATE platform_erasures SET due_at = outdial_now() - interval '1 second'`);

test('an ended call is listed with the erasure of its person, and erased at its platform', async () => {
  const { placed, carrierCallId } = await call(true);
  await erase(placed);
  expect(await listed()).toMatchObject([
    { callId: placed.id, carrier: 'vapi', carrierCallId, attempts: 0, reason: null },
  ]);
  expect(deletedAtVapi(carrierCallId)).toBe(0);
  expect(await work()).toBe(1);
  expect(deletedAtVapi(carrierCallId)).toBe(1);
  expect(await listed()).toEqual([]);
  expect(await work()).toBe(0);
});

test('a call in progress is erased only after its end', async () => {
  const { placed, carrierCallId } = await call(false);
  await erase(placed);
  expect(await work()).toBe(0);
  expect(deletedAtVapi(carrierCallId)).toBe(0);
  expect(await listed()).toMatchObject([{ callId: placed.id, attempts: 0 }]);
  await world.report(placed, ended, { status: 'ended' });
  await world.until(placed, 'completed');
  await dueNow();
  expect(await work()).toBe(1);
  expect(deletedAtVapi(carrierCallId)).toBe(1);
});

test('a call without a known end is erased a day after its dial', async () => {
  const { placed, carrierCallId } = await call(false);
  await world.calling.db.query(`UPDATE call_requests SET status = 'dial_unknown' WHERE id = $1`, [placed.id]);
  await erase(placed);
  expect(await work()).toBe(0);
  await world.calling.db.query(
    `UPDATE call_requests SET claimed_at = claimed_at - interval '25 hours' WHERE id = $1`,
    [placed.id],
  );
  await dueNow();
  expect(await work()).toBe(1);
  expect(deletedAtVapi(carrierCallId)).toBe(1);
});

test('a failed attempt is listed with its reason, and repeated later', async () => {
  const { placed, carrierCallId } = await call(true);
  await erase(placed);
  world.vapi.keys.delete(KEY);
  expect(await work()).toBe(0);
  const [left] = await listed();
  expect(left).toMatchObject({ callId: placed.id, attempts: 1, reason: 'carrier_http_401' });
  expect(Date.parse(String(left?.dueAt))).toBeGreaterThan(Date.now());
  const cli = new CliTerminal({ url: world.calling.world.config.databaseUrl } as TestDatabase);
  const said = await cli.run('contact', 'erasures', '--team', team.caller.teamId);
  expect(said).toMatchObject({ code: 0, told: '' });
  expect(said.out).toMatch(new RegExp(`${placed.id} +vapi +${carrierCallId} +1 +carrier_http_401 `));
  world.vapi.keys.add(KEY);
  // It is not due yet.
  expect(await work()).toBe(0);
  await dueNow();
  expect(await work()).toBe(1);
  expect(deletedAtVapi(carrierCallId)).toBe(2);
  expect(await listed()).toEqual([]);
});

test('a call that the platform does not have any more is done', async () => {
  const { placed } = await call(true);
  world.vapi.hide(world.callOf(placed));
  await erase(placed);
  expect(await work()).toBe(1);
  expect(await listed()).toEqual([]);
});

test('of an account that was deleted meanwhile, the call stays listed', async () => {
  const { placed } = await call(true);
  await erase(placed);
  await world.calling.db.query(
    `UPDATE platform_erasures SET carrier_account_id = gen_random_uuid() WHERE id = $1`,
    [placed.id],
  );
  expect(await work()).toBe(0);
  expect(await listed()).toMatchObject([{ callId: placed.id, reason: 'carrier_account_missing' }]);
  await world.calling.db.query('DELETE FROM platform_erasures');
});
