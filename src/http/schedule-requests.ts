import { type IncomingMessage, type RequestListener } from 'node:http';
import { FairIterations } from '../fairness/fair-iterations.js';
import { LARGE_BODY_BYTES } from './request-body.js';
import { RestingQueue } from '../fairness/resting-queue.js';

/**
 * The most requests that one iteration of the event loop begins, in about 2 ms. With a limit of two, batches
 * are smaller: a trigger costs 8 % more CPU, a contact upsert 22 %. Requests from the queue for large bodies
 * are not counted.
 */
const MAX_PER_ITERATION = 4;

/** The most requests with large bodies that wait. Further ones begin like all other requests. */
export const MAX_LARGE_WAITING = 128;

/**
 * Begins a few requests in each iteration of the event loop, round-robin by sender. Between two iterations
 * the loop reads all sockets. A burst of one sender therefore delays another sender's request by about one
 * iteration. Without a burst, a request begins at once.
 *
 * Requests whose `Content-Length` is above 16 KB begin one at a time, with a rest after each. Parts of their
 * bodies arrive in many iterations, and cost more than the request itself.
 *
 * @param senderOf the team of a request's key. All keys of a team are one sender. If this process does not
 *   know the key, the client's address: invented keys give no larger share.
 */
export function scheduleRequests(
  handler: RequestListener,
  senderOf: (request: IncomingMessage) => string,
): RequestListener {
  const iterations = new FairIterations(MAX_PER_ITERATION);
  const large = new RestingQueue();
  return (request, response) => {
    const queue = isLarge(request) && large.size < MAX_LARGE_WAITING ? large : iterations;
    queue.add(senderOf(request), () => handler(request, response));
  };
}

/** A chunked body does not count as large: its length is not declared, and it is usually small. */
function isLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES;
}
