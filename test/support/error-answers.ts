import { type Response, Test } from 'supertest';
import { joinProblems, MAX_LISTED, type Problem } from '../../src/http/app-error.js';

/*
 * Checks what every error answer has beside the fields of its surface, for each answer that a test gets by
 * supertest. `requestId` is the id of the log line. The `errors` of a 400 say what its text says. Both are
 * then taken out of the body, so that a test compares the fields of the contract. The text of the answer
 * keeps them.
 */

type Done = (error: unknown, response?: Response) => void;
type Assert = (error: Error | null, response: Response | undefined, done: Done) => void;

const prototype = Test.prototype as unknown as { assert: Assert };
const { assert } = prototype;

prototype.assert = function (this: unknown, error, response, done) {
  try {
    if (response?.type === 'application/json') response.body = contractBody(response);
  } catch (fault) {
    done.call(this, fault, response);
    return;
  }
  assert.call(this, error, response, done);
};

interface Answered {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

type ErrorBody = Record<string, unknown> & { error?: string; message?: string; errors?: Problem[] };

/** What the queue board, a library, refuses has another shape. */
function isOurs(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  const { error, reason } = body as ErrorBody;
  return typeof error === 'string' || typeof reason === 'string';
}

/** The end of a 404's text about an id in the path that is none. `test/http/answers.spec.ts` tests it. */
const NOT_AN_ID = /: [\w, ]+ in the path is not an id, which is a UUID$/;

/**
 * The body of an answer without `requestId` and `errors`, which must be there where they belong, and nowhere
 * else; also without `hint`, and without what a 404 says of malformed ids.
 */
export function contractBody({ status, headers, body }: Answered): unknown {
  if (status < 400 || !isOurs(body)) return body;
  const { requestId, errors, ...contract } = body;
  delete contract.hint;
  if (status === 404) contract.error = contract.error?.replace(NOT_AN_ID, '');
  if (typeof requestId !== 'string')
    throw new Error(`a ${status} without requestId: ${JSON.stringify(body)}`);
  const isReplay = headers['idempotency-replayed'] !== undefined;
  if (!isReplay) expect([status, requestId]).toEqual([status, headers['x-request-id'] ?? requestId]);
  if (status === 400) {
    const problem = { path: expect.any(String) as string, message: expect.any(String) as string };
    expect(errors).toEqual(Array((errors ?? [problem]).length).fill(problem));
    const [listed = '', told = ''] = [joinProblems(errors ?? []), contract.error ?? contract.message];
    // Of very many, the text counts those that are not listed as well.
    const isAll = errors === undefined || errors.length < MAX_LISTED;
    expect(isAll ? listed : listed.replace(/and \d+ more$/, '')).toBe(
      isAll ? told : told.replace(/and \d+ more$/, ''),
    );
  } else expect(errors).toBeUndefined();
  return contract;
}
