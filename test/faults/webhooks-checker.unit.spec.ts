import { newSecret } from '../../src/events/webhooks/secret.js';
import { signedHeaders } from '../../src/events/webhooks/delivery/sign.js';
import { type EventRecord } from '../../tools/faults/event-history.js';
import { checkHistory } from '../../tools/faults/check-history.js';
import { Random } from '../../tools/faults/random.js';
import { type ViolationKind } from '../../tools/faults/violation.js';
import {
  type EndpointKind,
  type EndpointRecord,
  type WebhookRequestRecord,
} from '../../tools/faults/webhook-history.js';
import { WebhookReceiver } from '../../tools/faults/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { Planted } from './planted.js';

/* What the fault harness finds in the webhooks that its receivers got, and how these behave. */

const endpoint = (kind: EndpointKind, teamId = 'free'): EndpointRecord => ({
  id: `${kind} of ${teamId}`,
  teamId,
  kind,
  types: kind === 'healthy' ? null : ['call.ended'],
});
const HEALTHY = endpoint('healthy');
const FAILING = endpoint('failing');
const HANGING = endpoint('hanging');
const ENDPOINTS = [HEALTHY, FAILING, HANGING, endpoint('healthy', 'limited'), endpoint('failing', 'limited')];

const event = (sequence: number, over: Partial<EventRecord> = {}): EventRecord => ({
  id: `event-${sequence}`,
  teamId: 'free',
  type: 'call.ended',
  sequence,
  callRequestId: 'one',
  status: 'completed',
  ...over,
});
const STARTED = event(1, { type: 'call.started', status: 'in_progress' });
const ENDED = event(2);

const sent = (
  to: EndpointRecord,
  what: EventRecord,
  over: Partial<WebhookRequestRecord> = {},
): WebhookRequestRecord => ({ endpoint: to, event: what, isTaken: true, isSigned: true, ...over });

/** All that must be delivered of a call that was started and has ended. */
const WHOLE = [sent(HEALTHY, STARTED), sent(HEALTHY, ENDED), sent(FAILING, ENDED)];

interface More {
  isOver?: boolean;
  delayed?: boolean;
}

function kindsOf(
  requests: WebhookRequestRecord[],
  { isOver = true, delayed = false }: More = {},
): ViolationKind[] {
  const { history } = new Planted().call('one');
  const read = [STARTED, ENDED];
  history.events = { read, stored: isOver ? read : null };
  history.webhooks = {
    endpoints: ENDPOINTS,
    requests,
    delayed: delayed ? [{ endpointId: HEALTHY.id, eventId: ENDED.id }] : [],
  };
  return checkHistory(history).map(({ kind }) => kind);
}

const refused = { isTaken: false };

test('every event taken, some of them also refused or sent twice, and none by those that hang, passes', () => {
  expect(kindsOf(WHOLE)).toEqual([]);
  expect(kindsOf([...WHOLE, sent(HEALTHY, ENDED), sent(HANGING, ENDED, refused)])).toEqual([]);
  expect(kindsOf([sent(FAILING, ENDED, refused), ...WHOLE])).toEqual([]);
});

test('before the feeds are read to their ends, deliveries may still be to come, and the feed may be behind them', () => {
  expect(kindsOf([sent(HEALTHY, event(3))], { isOver: false })).toEqual([]);
});

test.each<[string, WebhookRequestRecord[], ViolationKind[], More?]>([
  ['an event that an endpoint was never sent', WHOLE.slice(1), ['webhook lost']],
  ['one that it never took', [...WHOLE.slice(0, 2), sent(FAILING, ENDED, refused)], ['webhook lost']],
  ['one that is not in the feed', [...WHOLE, sent(HEALTHY, event(3))], ['webhook invented']],
  ['the same twice', [...WHOLE, ...[1, 2].map(() => sent(HEALTHY, event(3)))], ['webhook invented']],
  [
    'one that differs from the feed',
    [...WHOLE, sent(HEALTHY, event(2, { status: 'busy' }))],
    ['webhook invented'],
  ],
  ['one with another number', [...WHOLE, sent(HEALTHY, { ...ENDED, sequence: 7 })], ['webhook invented']],
  ['one that was not asked for', [...WHOLE, sent(FAILING, STARTED)], ['webhook invented']],
  [
    'an event of another team',
    [...WHOLE, sent(endpoint('healthy', 'limited'), ENDED)],
    ['webhook of another team'],
  ],
  [
    'one that names the team of the endpoint',
    [...WHOLE, sent(endpoint('failing', 'limited'), { ...ENDED, teamId: 'limited' })],
    ['webhook of another team'],
    { isOver: false },
  ],
  [
    'a wrong signature',
    [...WHOLE, sent(HANGING, ENDED, { isTaken: false, isSigned: false })],
    ['signature wrong'],
  ],
  ['a delivery that waited for others', WHOLE, ['webhook delayed'], { delayed: true }],
])('%s is detected', (...[, requests, kinds, more]) => {
  expect(kindsOf(requests, more)).toEqual(kinds);
});

describe('the receiver', () => {
  const secret = newSecret();
  let receiver: WebhookReceiver;
  let url: string;

  beforeEach(async () => {
    receiver = new WebhookReceiver(new Random(1));
    url = await receiver.listen();
    for (const one of [HEALTHY, FAILING, HANGING]) receiver.serve(`/${one.kind}`, { endpoint: one, secret });
  });
  afterEach(() => receiver.close());

  /** @returns the status of the answer; null without one. */
  async function post(kind: EndpointKind, over: { secret?: string; id?: string; body?: string } = {}) {
    const body = JSON.stringify({ ...ENDED, data: { callRequestId: 'one', status: 'completed' } });
    const headers = signedHeaders(
      over.id ?? ENDED.id,
      body,
      [newSecret(), over.secret ?? secret],
      new Date(),
    );
    const options = { method: 'POST', redirect: 'manual', headers, body: over.body ?? body } as const;
    return fetch(`${url}/${kind}`, options).then(
      ({ status }) => status,
      () => null,
    );
  }

  test('verifies signatures, and keeps what the body says', async () => {
    expect(await post('healthy')).toBe(204);
    await post('healthy', { secret: newSecret() });
    await post('healthy', { id: 'event-7' });
    await post('healthy', { body: JSON.stringify({ ...ENDED, data: {} }) });
    expect(receiver.requests.map(({ isSigned }) => isSigned)).toEqual([true, false, false, false]);
    expect(receiver.requests[0]).toEqual({ endpoint: HEALTHY, event: ENDED, isTaken: true, isSigned: true });
  });

  test('fails at random until it is healed, and hangs for ever', async () => {
    const hanging = post('hanging');
    const before = Array.from({ length: 200 }, () => post('failing'));
    await eventually(
      () => Promise.resolve(receiver.requests.length),
      (count) => count === 201,
    );
    const taken = receiver.requests.filter(({ isTaken }) => isTaken).length;
    expect(taken).toBeGreaterThan(100);
    expect(taken).toBeLessThan(200);
    receiver.heal();
    for (let i = 0; i < 50; i += 1) expect(await post('failing')).toBe(204);
    await receiver.close();
    expect(await hanging).toBeNull();
    const answers = await Promise.all(before);
    expect(answers.filter((status) => status === 204)).toHaveLength(taken);
    expect(new Set(answers)).toEqual(new Set([204, 301, 400, 500, 502, 503, null]));
  });
});
