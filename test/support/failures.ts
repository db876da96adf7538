import { type Request } from 'express';
import { type FailedAuthentications } from '../../src/http/failed-authentications.js';

/** Uses up what an address may get wrong at once; one more failure is granted every few milliseconds. */
export function spendFailures(failures: FailedAuthentications, address = '127.0.0.1'): void {
  const wrong = {
    ip: address,
    socket: { remoteAddress: address },
    headers: { authorization: 'x' },
  } as Request;
  expect(() => {
    for (let i = 0; i < 10_000; i += 1) failures.count(wrong);
  }).toThrow('Too many failed authentications');
}

/** The first refusal, 429, of a request with a wrong credential from an address that has no failures left. */
export async function refusedForFailures<T extends { status: number }>(
  failures: FailedAuthentications,
  send: () => PromiseLike<T>,
  address?: string,
): Promise<T> {
  for (let i = 0; i < 50; i += 1) {
    spendFailures(failures, address);
    const answer = await send();
    if (answer.status === 429) return answer;
  }
  throw new Error('never refused');
}
