import { setTimeout as pause } from 'node:timers/promises';
import { type Tenant } from '../builds/tenant.js';

const TIMEOUT_MS = 30_000;

/** What went wrong: neither the answer of the contract, nor in time. */
export interface Failure {
  phase: string;
  request: string;
  answer: string;
}

/** How long requests of one phase took. */
export interface PhaseTimes {
  requests: number;
  /** Milliseconds. */
  longest: number;
}

/** Places calls, enrolls contacts and reads calls at a steady pace, at whichever APIs serve at the moment. */
export class Traffic {
  readonly accepted: string[] = [];
  readonly failures: Failure[] = [];
  readonly times = new Map<string, PhaseTimes>();
  /** What the requests are counted under. */
  phase = 'the old build';
  private readonly underWay = new Set<Promise<void>>();
  private sent = 0;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  /** @param urls of the APIs; each request goes to the next one. */
  constructor(
    private urls: string[],
    private readonly tenant: Tenant,
  ) {}

  start(perSecond: number): void {
    this.running = this.run(perSecond);
  }

  /** From now on requests go to these. Resolves when the answers to those before are there. */
  async moveTo(...urls: string[]): Promise<void> {
    this.urls = urls;
    await Promise.all(this.underWay);
  }

  /** Resolves when every answer is there. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.underWay);
  }

  private async run(perSecond: number): Promise<void> {
    const startedAt = performance.now();
    for (let n = 0; !this.stopped; n += 1) {
      await pause(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
      const request = this.next();
      this.underWay.add(request);
      void request.finally(() => this.underWay.delete(request));
    }
  }

  private next(): Promise<void> {
    const { agentId, campaignId } = this.tenant;
    const n = (this.sent += 1);
    // Each once, so that no rule refuses it.
    const phoneNumber = `+1212${2_200_000 + n}`;
    const contact = { phoneNumber, name: `Contact ${n}`, email: `c${n}@example.com` };
    const read = this.accepted.at(-(n % 50) - 1);
    if (n % 4 === 2) {
      return this.ask('POST', '/api/campaigns/contact-enrollments', 200, { ...contact, campaignId });
    }
    if (n % 4 === 3 && read !== undefined) return this.ask('GET', `/api/calls/${read}`, 200);
    return this.ask('POST', `/api/voice-agents/${agentId}/calls`, 200, {
      ...contact,
      topic: 'the appointment',
    });
  }

  private async ask(method: string, path: string, wanted: number, body?: object): Promise<void> {
    const { phase } = this;
    const url = this.urls[this.sent % this.urls.length] ?? '';
    const startedAt = performance.now();
    let answer: string;
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${this.tenant.apiKey}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      answer = response.status === wanted ? '' : `${response.status} ${text.slice(0, 200)}`;
      if (answer === '' && path.endsWith('/calls')) {
        this.accepted.push((JSON.parse(text) as { callRequestId: string }).callRequestId);
      }
    } catch (error) {
      answer = String((error as Error).cause ?? error);
    }
    if (answer !== '') this.failures.push({ phase, request: `${method} ${path}`, answer });
    const times = this.times.get(phase) ?? { requests: 0, longest: 0 };
    times.requests += 1;
    times.longest = Math.max(times.longest, performance.now() - startedAt);
    this.times.set(phase, times);
  }
}
