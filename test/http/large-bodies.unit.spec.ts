import { EventEmitter } from 'node:events';
import { type Request, type Response } from 'express';
import { openBodies } from '../../src/http/body-reader.js';
import { ownBody, readJsonObject } from '../../src/http/request-body.js';

const open = openBodies(() => 64 * 1024 * 1024);
const BODY = Buffer.from(JSON.stringify({ text: 'x'.repeat(20_000) }));

/** A request of a team whose large body has arrived. @param response emits `close` when its client leaves. */
function arrived(team: string, key: string, response = new EventEmitter()): Request {
  const request = {
    headers: { 'content-length': String(BODY.length), authorization: `Bearer ${key}` },
    complete: true,
    destroyed: false,
    read: () => Buffer.from(BODY),
    socket: { remoteAddress: '192.0.2.1' },
  } as unknown as Request;
  open(
    request,
    Object.assign(response, { setHeader: () => undefined }) as unknown as Response,
    () => undefined,
  );
  ownBody(request, team);
  return request;
}

test('the keys of a team share its queue, and another team has its own', async () => {
  const order: string[] = [];
  const parsed = async (team: string, key: string) => {
    expect((await readJsonObject(arrived(team, key))).ok).toBe(true);
    order.push(team);
  };
  const busy = ['a', 'b', 'c', 'd'].flatMap((key) => [parsed('busy', key), parsed('busy', key)]);
  await Promise.all([...busy, parsed('other', 'e')]);
  // Two bodies of the busy team: the first, which found an empty queue, and the first one of the team's
  // queue.
  expect(order.indexOf('other')).toBeLessThanOrEqual(2);
});

test('a body whose client leaves while it waits is not parsed', async () => {
  const response = new EventEmitter();
  const parsed = readJsonObject(arrived('team', 'a'));
  const left = readJsonObject(arrived('team', 'b', response));
  const refusal = expect(left).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect((await parsed).ok).toBe(true);
  response.emit('close');
  await refusal;
  expect((await readJsonObject(arrived('team', 'c'))).ok).toBe(true);
});
