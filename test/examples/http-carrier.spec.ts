import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HTTP_SECRET } from '../carriers/support.js';
import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';

// API and worker as they are, the example's runtime as a process of its own: from the trigger to the end of
// the call.

const RUNTIME = join(__dirname, '../../examples/http-carrier/runtime.mjs');

let calling: Calling;
let runtime: ChildProcess;
let runtimeUrl: string;
let caller: Caller;

beforeAll(async () => {
  runtime = spawn(process.execPath, [RUNTIME], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HTTP_CARRIER_SECRET: HTTP_SECRET,
      RING_MS: '50',
      TALK_MS: '1200',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  runtimeUrl = `http://127.0.0.1:${await listeningPort(runtime)}/calls`;
  const carrier = { httpCarrierSecret: HTTP_SECRET, httpCarrierAllowPrivate: true };
  calling = await Calling.start({
    ...carrier,
    carrier: 'http',
    httpCarrierUrl: runtimeUrl,
    publicUrl: 'http://unused',
  });
  const { port } = calling.api.getHttpServer().address() as AddressInfo;
  calling.world.config.publicUrl = `http://127.0.0.1:${port}`;
  await calling.startWorker();
});
afterAll(async () => {
  await calling.close();
  const ended = new Promise((resolve) => runtime.once('exit', resolve));
  runtime.kill();
  await ended;
});
beforeEach(async () => {
  caller = await buildCaller(calling.db, {}, { prompt_template: 'Call {{contact.name}}' });
});

async function listeningPort({ stdout }: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: stdout! })) {
    return (JSON.parse(line) as { listening: number }).listening;
  }
  throw new Error('the runtime ended before it listened');
}

const agentPath = () => `/teams/${caller.teamId}/voice-agents/${caller.agentId}`;

test('the deployment’s carrier completes a call from its trigger on', async () => {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber(), name: 'Ada' });
  const call = await calling.until(caller, id, 'completed');
  expect(call).toMatchObject({ prompt: 'Call Ada', callerId: caller.callerNumber });
  const talkedMs = Date.parse(call.endedAt ?? '') - Date.parse(call.answeredAt ?? '');
  expect(talkedMs).toBeGreaterThanOrEqual(1_200);
  // What the runtime measured: at least its pause, and no more than until its report was stored.
  expect(call.durationSeconds).toBeGreaterThanOrEqual(1);
  expect(call.durationSeconds).toBeLessThanOrEqual(Math.round(talkedMs / 1_000));
  expect((await calling.row(id)).history.map(({ to, cause }) => `${to} (${cause})`)).toEqual([
    'queued (triggered)',
    'dialing (claimed)',
    'in_progress (carrier_accepted)',
    'completed (carrier_report)',
  ]);
  // The number is the generation of the call: on a busy machine, the sweeper may have woken the call before
  // its claim.
  const carrierCallId: unknown = expect.stringMatching(new RegExp(`^example-${id}-\\d+$`));
  expect(await calling.row(id)).toMatchObject({ carrier: 'http', carrier_call_id: carrierCallId });
});

test('an agent’s own URL precedes the deployment’s; an invalid one is refused at once', async () => {
  await calling.operated('patch', agentPath(), { carrier: 'http', carrierSettings: { url: runtimeUrl } });
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.until(caller, id, 'completed');
  for (const [carrierSettings, message] of [
    [{ url: 'gopher://x' }, 'carrierSettings.url must be an https:// or http:// URL'],
    [{ uri: runtimeUrl }, 'carrierSettings has a field that the carrier http does not know; it knows url'],
  ]) {
    const answer = await calling.operator('patch', agentPath(), { carrierSettings });
    expect([answer.status, answer.body]).toEqual([400, { error: message }]);
  }
});

test('without a listener no number is dialed: the call is pending again and is not counted', async () => {
  await calling.operated('patch', agentPath(), { carrierSettings: { url: 'http://127.0.0.1:1/calls' } });
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  const { history, ...row } = await eventually(
    () => calling.row(id),
    // Not the generation: the sweeper may have woken the call before its claim.
    ({ history: [...changes] }) => changes.at(-1)?.cause === 'carrier_unreachable',
  );
  expect(history.at(-1)).toMatchObject({ to: 'queued' });
  expect(row).toMatchObject({ status: 'queued', processed_at: null });
});

test('a call without a report is found by a look-up', async () => {
  const worker = await calling.startIdleWorker();
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  // The sweeper of the other worker may wake the call on a busy machine, and the queue is paused.
  await eventually(
    async () => {
      await worker.fire(id, (await calling.row(id)).generation);
      return calling.row(id);
    },
    ({ status }) => status !== 'queued',
  );
  const { durationSeconds } = await calling.until(caller, id, 'completed');
  // As if its answer and its reports had been lost.
  await calling.db.query(
    `UPDATE call_requests SET status = 'dial_unknown', ended_at = NULL, answered_at = NULL, duration_seconds = NULL
     WHERE id = $1`,
    [id],
  );
  await eventually(
    async () => {
      await worker.sweep();
      return calling.row(id);
    },
    ({ status }) => status === 'completed',
  );
  const call = await calling.until(caller, id, 'completed');
  expect(call).toMatchObject({ durationSeconds, answeredAt: expect.any(String) as string });
  expect((await calling.row(id)).history.at(-1)).toMatchObject({ cause: 'carrier_listing' });
});
