/**
 * A minimal runtime for Outdial's HTTP carrier. It verifies the signature of each request, "dials" each call
 * once, and reports its states. Replace `talk` by code that dials. See README.md and ../../docs/carriers.md.
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { HTTP_CARRIER_SECRET: secret, PORT = '4020', RING_MS = '300', TALK_MS = '700' } = process.env;
if (!secret) throw new Error('HTTP_CARRIER_SECRET is not set; it is the same as Outdial’s');
const webhook = new Webhook(secret);

/** Every call by the id of its call request: what is known of it, in the words of a report. */
const calls = new Map();
/** What was answered to each Idempotency-Key, so that a repeated request never dials again. */
const answers = new Map();
/** What hangs up each call in progress. */
const live = new Map();

const server = createServer(async (request, response) => {
  const body = await textOf(request);
  const answer = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  try {
    webhook.verify(body, request.headers, { jsonParse: false });
  } catch {
    return answer(401, { error: 'the signature is missing, wrong, or old' });
  }
  const [, collection, id, action] = new URL(request.url, 'http://runtime').pathname.split('/');
  if (collection !== 'calls') return answer(404, { error: 'no such route' });
  if (request.method === 'GET') {
    // Signed for this very call: the signature is over the webhook-id, which is the call's.
    const call = request.headers['webhook-id'] === id ? calls.get(id) : undefined;
    return call ? answer(200, call) : answer(404, { error: 'no such call' });
  }
  if (action === 'hang-up') {
    const hangUp = live.get(id);
    hangUp?.();
    return hangUp ? answer(202, {}) : answer(409, { error: 'the call is not in progress' });
  }
  const key = request.headers['idempotency-key'];
  const call = JSON.parse(body);
  if (call.version !== 1 || call.type !== 'call.place') return answer(422, { refused: 'unknown_request' });
  if (!answers.has(key)) {
    answers.set(key, { carrierCallId: `example-${key}` });
    void talk(call, answers.get(key).carrierCallId);
  }
  answer(202, answers.get(key));
});

/**
 * Pretends to ring and to talk. Here goes what really dials `call.to` from `call.from`, with `call.prompt`.
 */
async function talk(call, carrierCallId) {
  const { callRequestId, callbackUrl } = call;
  const report = (event) => {
    const known = { callRequestId, carrierCallId, at: new Date().toISOString(), ...event };
    calls.set(callRequestId, known);
    return send(callbackUrl, known);
  };
  calls.set(callRequestId, {
    callRequestId,
    carrierCallId,
    at: new Date().toISOString(),
    status: 'in_progress',
  });
  const hungUp = new Promise((resolve) => live.set(callRequestId, () => resolve('hung up')));
  if ((await Promise.race([pause(Number(RING_MS)), hungUp])) === 'hung up') {
    live.delete(callRequestId);
    return report({ status: 'failed', reason: 'hung_up' });
  }
  const answeredAt = new Date();
  await report({ status: 'in_progress', answeredAt: answeredAt.toISOString() });
  await Promise.race([pause(Number(TALK_MS)), hungUp]);
  live.delete(callRequestId);
  const durationSeconds = Math.round((Date.now() - answeredAt.getTime()) / 1000);
  await report({ status: 'completed', answeredAt: answeredAt.toISOString(), durationSeconds });
}

/**
 * Reports until it is taken. Outdial takes reports twice and in any order, so that trying again does no harm.
 */
async function send(url, event) {
  const body = JSON.stringify(event);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const [id, now] = [`${event.callRequestId}-${event.status}`, new Date()];
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, now, body),
    };
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    if (answer && (answer.ok || (answer.status >= 400 && answer.status < 500))) {
      return console.error(`${event.callRequestId}: ${event.status}, answered ${answer.status}`);
    }
    await pause(250 * 2 ** attempt);
  }
  console.error(`${event.callRequestId}: ${event.status} was not taken`);
}

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

server.listen(Number(PORT), () => console.log(JSON.stringify({ listening: server.address().port })));
process.once('SIGTERM', () => process.exit(0));
