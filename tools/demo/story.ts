import { setTimeout as sleep } from 'node:timers/promises';
import { type Expected, mismatches } from './expectation.js';
import { indented, readableJson, statusStyle, styled } from './terminal.js';

const REQUEST_TIMEOUT_MS = 10_000;
const POLL_MS = 150;
const WAIT_MS = 15_000;

/** One HTTP request. `text` replaces `body` where what is sent shall be no JSON. */
export interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  token: string;
  body?: object;
  text?: string;
  idempotencyKey?: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** What an answer shall be. */
export interface ExpectedAnswer {
  status: number;
  body: Expected;
}

/** A field of the answer that the demo waits for. */
export interface Wanted {
  field: string;
  value: string;
  withinMs?: number;
}

/** The requests of one caller. */
export class Caller {
  constructor(private readonly token: string) {}

  get(path: string): Request {
    return { method: 'GET', path, token: this.token };
  }

  post(path: string, body?: object): Request {
    return { method: 'POST', path, token: this.token, body };
  }

  postText(path: string, text: string): Request {
    return { method: 'POST', path, token: this.token, text };
  }

  patch(path: string, body: object): Request {
    return { method: 'PATCH', path, token: this.token, body };
  }
}

/** Sends requests, shows them with their answers, and keeps count of what is not as expected. */
export class Story {
  private chapters = 0;
  private shownLast: 'chapter' | 'scene' | 'line' = 'line';
  checks = 0;
  failures = 0;

  /** @param api base URL; `signal` ends everything that is under way. */
  constructor(
    readonly api: string,
    private readonly signal: AbortSignal,
  ) {}

  chapter(title: string): void {
    this.chapters += 1;
    console.log(`\n\n${styled('bold', `${this.chapters}. ${title}`)}`);
    this.shownLast = 'chapter';
  }

  note(text: string): void {
    this.begin('line');
    console.log(styled('dim', indented(text, '  ')));
  }

  /** Sends a request and shows all of it. */
  async tell(what: string, request: Request, expected: ExpectedAnswer): Promise<Answer> {
    return this.tellOnce(what, request, undefined, expected);
  }

  /** Sends a request and shows a line of it, for what only prepares the next one. */
  async mention(request: Request, status: number, subject = ''): Promise<Answer> {
    const answer = await this.send(request);
    this.begin('line');
    const sent = request.body === undefined || subject !== '' ? subject : readableJson(request.body);
    const { method, path } = request;
    console.log(`  ${answerStatus(answer)} ${styled('dim', `${method} ${path}`)}  ${sent}`);
    this.check(`${method} ${path}`, status, answer.status, answer.body);
    return answer;
  }

  /** {@link tell} for an answer that takes a while: shows the last one. */
  async tellOnce(
    what: string,
    request: Request,
    wanted: Wanted | undefined,
    expected: ExpectedAnswer,
  ): Promise<Answer> {
    this.begin('scene');
    showQuestion(what, request);
    const answer = await this.until(request, wanted);
    console.log(`    ${answerStatus(answer)} ${indented(readableJson(answer.body)).trimStart()}`);
    const asExpected = this.check(what, { status: expected.status, body: expected.body }, { ...answer });
    if (asExpected) this.pass('as expected');
    return answer;
  }

  /** Asks until the answer is as wanted or time is up, and gives the last answer. */
  async until(request: Request, wanted: Wanted | undefined): Promise<Answer> {
    const deadline = Date.now() + (wanted?.withinMs ?? WAIT_MS);
    for (;;) {
      const answer = await this.send(request);
      if (!wanted || fieldOf(answer, wanted.field) === wanted.value || Date.now() > deadline) return answer;
      await this.pause(POLL_MS);
    }
  }

  /** Checks something that is no answer; `context` is shown only when it is not as expected. */
  check(what: string, expected: Expected, actual: unknown, context?: unknown): boolean {
    this.checks += 1;
    const problems = mismatches(expected, actual);
    if (problems.length === 0) return true;
    this.failures += 1;
    console.log(styled('red', `    ✗ ${what}`));
    for (const problem of problems) console.log(styled('red', `      ${problem}`));
    if (context !== undefined) console.log(styled('red', indented(readableJson(context), '      ')));
    return false;
  }

  pass(text: string): void {
    console.log(`    ${styled('green', '✓')} ${text}`);
  }

  pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.signal });
  }

  /** Scenes stand apart; lines that follow each other do not. */
  private begin(what: 'scene' | 'line'): void {
    if (what === 'scene' || this.shownLast !== 'line') console.log('');
    this.shownLast = what;
  }

  private async send({ method, path, token, body, text, idempotencyKey }: Request): Promise<Answer> {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.api + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: sent,
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    return { status: response.status, body: withoutIds(response.status, parsed(await response.text())) };
  }
}

/** A text of an answer that the story cannot go on without. */
export function textOf(answer: Answer, field: string): string {
  const value = fieldOf(answer, field);
  if (typeof value !== 'string')
    throw new Error(`The answer has no ${field}: ${JSON.stringify(answer.body)}`);
  return value;
}

export function fieldOf({ body }: Answer, field: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
}

function showQuestion(what: string, { method, path, body, text, idempotencyKey }: Request): void {
  console.log(`  ${styled('cyan', `▸ ${what}`)}`);
  console.log(`    ${styled('bold', method)} ${path}`);
  if (idempotencyKey !== undefined) console.log(`    Idempotency-Key: ${idempotencyKey}`);
  if (text !== undefined) console.log(indented(text));
  else if (body !== undefined) console.log(indented(readableJson(body)));
}

function answerStatus({ status }: Answer): string {
  return styled(statusStyle(status), `→ ${status}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An error answer without the id of its request and the list of its problems, which no check is about. */
function withoutIds(status: number, body: unknown): unknown {
  if (status < 400 || typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'requestId' && key !== 'errors'));
}
