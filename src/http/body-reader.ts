import { type Request, type RequestHandler, type Response } from 'express';
import { AppError } from './app-error.js';
import { BodyBudget, type BodyHold } from './body-budget.js';
import { FairIterations } from '../fairness/fair-iterations.js';
import { clientAddressOf, networkOf } from './client-address.js';
import { continueBody } from './expectation.js';
import { withHint } from './body-hints.js';
import { parseBody } from './parse-body.js';
import {
  type JsonObjectResult,
  MAX_BODY_BYTES,
  type RawBody,
  type RequestBody,
  type RequestWithBody,
} from './request-body.js';

/** The part of the memory that is the budget of bodies whose sender is not known, such as signed reports. */
const UNKNOWN_PART = 1 / 4;

interface Budgets {
  known: BodyBudget;
  unknown: BodyBudget;
}

/** The most chunks of up to 64 KB that are read in one iteration of the event loop, round-robin by sender. */
const CHUNKS_PER_ITERATION = 4;

const chunks = new FairIterations(CHUNKS_PER_ITERATION);

/**
 * How long a body may take to arrive, in milliseconds. The server has no such limit of its own, because an
 * upload of a file, which is not read here, may take longer.
 */
const BODY_TIMEOUT_MS = 20_000;

const NO_BYTES = Buffer.alloc(0);
const NO_BODY: RawBody = { kind: 'bytes', bytes: NO_BYTES };
const CUT_OFF: RawBody = { kind: 'unreadable', message: 'The body could not be read' };
const TOO_SLOW: RawBody = {
  kind: 'unreadable',
  message: `The body did not arrive within ${BODY_TIMEOUT_MS / 1_000} seconds`,
};

/**
 * Middleware that leaves the body in the socket until a controller or guard reads it. Credentials in the
 * headers are checked before.
 *
 * @param memory returns the bytes that all bodies of known senders may hold in this process.
 */
export function openBodies(memory: () => number): RequestHandler {
  const budgets = {
    known: new BodyBudget(memory),
    unknown: new BodyBudget(() => memory() * UNKNOWN_PART),
  };
  return (request, response, next) => {
    (request as OpenedRequest).requestBody = new BodyReader(request, response, budgets);
    next();
  };
}

/** A request whose body this middleware has opened. */
type OpenedRequest = RequestWithBody & { requestBody?: BodyReader };

/**
 * Returns the request's body. The first invocation for a request reads it. A body that cannot be read is not
 * refused here.
 *
 * @param limit the most bytes of the body; only the first invocation's limit has an effect.
 * @throws AppError `RATE_LIMITED` when bodies of the same owner or client hold too much memory.
 */
export async function readBody(request: Request, limit = MAX_BODY_BYTES): Promise<RawBody> {
  const withBody = request as OpenedRequest;
  withBody.rawBody ??= (await withBody.requestBody?.read(limit)) ?? NO_BODY;
  return withBody.rawBody;
}

class BodyReader implements RequestBody {
  /** null until the credentials have been checked. */
  owner: string | null = null;
  private body?: Promise<RawBody>;
  private hold?: BodyHold;
  private ended = false;
  private waitsToBeParsed = false;
  private parsed = false;
  private buffer: Buffer = NO_BYTES;
  private length = 0;
  /** Bytes that are counted for the buffer. */
  private reserved = 0;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    private readonly budgets: Budgets,
  ) {}

  read(limit: number): Promise<RawBody> {
    return (this.body ??= this.start(limit));
  }

  async readJson(maxValues?: number): Promise<JsonObjectResult> {
    const body = await readBody(this.request);
    this.waitsToBeParsed = true;
    try {
      const parsed = await parseBody(this.sender, body, maxValues, (bytes) => this.take(bytes));
      return withHint(parsed, this.request, body);
    } finally {
      this.waitsToBeParsed = false;
      this.parsed = true;
    }
  }

  openStream(bytes: number): void {
    this.hold = this.openHold(() => (this.ended = true));
    this.take(bytes);
    this.hold.complete();
    continueBody(this.response);
  }

  /** The sender in whose queue chunks are read and the body is parsed. All keys of a team are one sender. */
  private get sender(): string {
    return this.owner ?? networkOf(clientAddressOf(this.request));
  }

  /**
   * Counts further bytes, such as those of the parsed body, against the same budget until the request is
   * answered.
   * @throws AppError `RATE_LIMITED`.
   */
  private take(bytes: number): void {
    this.hold?.take(bytes);
    if (this.ended) throw this.tooMuch();
  }

  private async start(limit: number): Promise<RawBody> {
    const { headers } = this.request;
    const declared = headers['content-length'];
    if (headers['transfer-encoding'] === undefined && (declared === undefined || declared === '0'))
      return NO_BODY;
    if (!isPlain(headers['content-encoding'])) return { kind: 'encoded' };
    if (Number(declared) > limit) return { kind: 'too_large' };
    if (this.request.destroyed) return CUT_OFF;
    continueBody(this.response);
    return this.request.complete ? this.takeArrived(limit) : this.collect(limit, Number(declared ?? 0));
  }

  /** Reads a body that has arrived completely. A small body usually arrives with the request's head. */
  private takeArrived(limit: number): RawBody {
    const bytes = (this.request.read() as Buffer | null) ?? NO_BYTES;
    if (bytes.length > limit) return { kind: 'too_large' };
    this.hold = this.openHold(() => (this.ended = true));
    this.take(bytes.length);
    this.hold.complete();
    return { kind: 'bytes', bytes };
  }

  /** @param declared the `Content-Length`; 0 without this header. */
  private collect(limit: number, declared: number): Promise<RawBody> {
    const { request } = this;
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        if (this.length + chunk.length > limit) return finish({ kind: 'too_large' });
        this.append(chunk, declared);
      };
      const onReadable = () => chunks.add(this.sender, readChunk);
      const readChunk = () => {
        const chunk = done ? null : (request.read() as Buffer | null);
        if (chunk !== null) onData(chunk);
      };
      const onEnd = () => finish({ kind: 'bytes', bytes: this.buffer.subarray(0, this.length) });
      const onClose = () => finish(CUT_OFF);
      let done = false;
      const timer = setTimeout(() => finish(TOO_SLOW), BODY_TIMEOUT_MS);
      const stop = () => {
        done = true;
        clearTimeout(timer);
        request.off('readable', onReadable).off('end', onEnd).off('close', onClose);
      };
      const finish = (body: RawBody) => {
        stop();
        if (body.kind !== 'bytes') this.buffer = NO_BYTES;
        this.hold?.complete();
        resolve(body);
      };
      this.hold = this.openHold(() => {
        stop();
        this.ended = true;
        this.buffer = NO_BYTES;
        reject(this.tooMuch());
      });
      // Memory is reserved before reading, so a body that does not fit into the budget costs nothing.
      this.reserve(declared);
      if (this.ended) return;
      request.on('readable', onReadable).on('end', onEnd).on('close', onClose);
    });
  }

  private openHold(onEnd: () => void): BodyHold {
    const { budgets, owner, request, response } = this;
    const hold =
      owner === null
        ? budgets.unknown.open(networkOf(clientAddressOf(request)), onEnd)
        : budgets.known.open(owner, onEnd);
    const release = () => {
      hold.release();
      // If the client leaves while the body waits to be parsed, the body is not parsed. The budget no longer
      // counts its bytes.
      if (this.waitsToBeParsed) this.ended = true;
      // The bytes of a body that is not read as JSON are kept, because a handler may use them.
      if (this.waitsToBeParsed || this.parsed) this.buffer = NO_BYTES;
    };
    response.once('close', release);
    // The answer waits behind that of an earlier request on the connection. Node 20 does not close such an
    // answer with its connection.
    if (response.socket === null) request.socket.once('close', release);
    return hold;
  }

  private reserve(bytes: number): void {
    if (bytes <= this.reserved) return;
    this.hold?.take(bytes - this.reserved);
    this.reserved = bytes;
  }

  /**
   * Copies a chunk into the one buffer of the body. A chunk can be a single byte, and each kept chunk would
   * be an object. If the body's size is not declared, the size of the buffer doubles when it is full.
   */
  private append(chunk: Buffer, declared: number): void {
    const needed = this.length + chunk.length;
    if (needed > this.buffer.length) {
      const doubled = this.length === 0 ? needed : Math.min(MAX_BODY_BYTES, 2 * this.buffer.length);
      const size = Math.max(needed, declared, doubled);
      this.reserve(size);
      if (this.ended) return;
      const larger = size === chunk.length ? chunk : Buffer.allocUnsafeSlow(size);
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    if (this.buffer !== chunk) chunk.copy(this.buffer, this.length);
    this.length = needed;
  }

  private tooMuch(): AppError {
    this.response.setHeader('Retry-After', '1');
    return new AppError('RATE_LIMITED', 'Too many large bodies at once');
  }
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || /^\s*(?:identity)?\s*$/i.test(encoding);
}
