import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { getQueueToken } from '@nestjs/bullmq';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Queue } from 'bullmq';
import supertest, { type Response, type Test } from 'supertest';
import { type DataSource } from 'typeorm';
import { type CallView } from '../../src/calls/records/calls.service.js';
import { CarrierRegistry } from '../../src/carriers/carrier-registry.js';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { type SimulatorRule } from '../../src/carriers/simulator/rules.js';
import { SimulatorCarrier } from '../../src/carriers/simulator/simulator.carrier.js';
import { type Configuration } from '../../src/configuration.js';
import { type DialJob } from '../../src/queue/wake-ups.js';
import { WorkerEngineWakeUps } from '../../src/queue/engine-channel.js';
import { CALL_PRODUCER, CallQueue } from '../../src/queue/call-queue.js';
import { createWorld, OPERATOR_TOKEN, type World } from './app.js';
import { type Caller } from './call-builders.js';
import { type CallRow, CallRows } from './call-rows.js';
import { eventually } from './eventually.js';
import { IdleWorker, knowsRedis } from './idle-worker.js';

export { type CallRow };

/** An interval longer than any test, for a sweeper that must not run during the test. */
export const NEVER_MS = 86_400_000;

/** A world with the API, and what tests of calls ask of it. The dial log is the witness of every dial. */
export class Calling {
  world!: World;
  api!: NestExpressApplication;
  db!: DataSource;
  private readonly stored = new CallRows(() => this.db);
  private readonly directory = mkdtempSync(join(tmpdir(), 'outdial-dials-'));
  private readonly carriers: SimulatorCarrier[] = [];
  private readonly ends: (() => Promise<unknown>)[] = [];

  private constructor() {}

  /** @param prepare is called before the API starts. */
  static async start(
    overrides: Partial<Configuration> = {},
    prepare: (world: World) => Promise<void> = () => Promise.resolve(),
  ): Promise<Calling> {
    const calling = new Calling();
    await calling.begin(overrides, prepare);
    return calling;
  }

  /** The same for all tests of a file: it starts before them and closes after them. */
  static ofFile(overrides: Partial<Configuration> = {}): Calling {
    const calling = new Calling();
    beforeAll(() => calling.begin(overrides, () => Promise.resolve()));
    afterAll(() => calling.close());
    return calling;
  }

  private async begin(
    overrides: Partial<Configuration>,
    prepare: (world: World) => Promise<void>,
  ): Promise<void> {
    this.world = await createWorld(overrides);
    this.db = this.world.db;
    await prepare(this.world);
    this.api = await this.world.startApi();
    this.world.config.simulatorDialLog = join(this.directory, 'dials.jsonl');
  }

  async startWorker(overrides: Partial<Configuration> = {}): Promise<INestApplicationContext> {
    const worker = await this.world.startWorker(overrides);
    this.carriers.push(simulatorOf(worker));
    return worker;
  }

  /** A worker that takes no jobs, does not sweep and is not woken. The test calls its services. */
  async startIdleWorker(overrides: Partial<Configuration> = {}): Promise<IdleWorker> {
    await this.queue.pause();
    const app = await this.startWorker({ sweeperIntervalMs: NEVER_MS, ...overrides });
    await knowsRedis(app);
    app.get(WorkerEngineWakeUps, { strict: false }).close();
    return new IdleWorker(app);
  }

  /** The same for all tests of a file. */
  idleWorkerOfFile(overrides: Partial<Configuration> = {}): IdleWorker {
    const worker = new IdleWorker();
    beforeAll(async () => {
      worker.app = (await this.startIdleWorker(overrides)).app;
    });
    return worker;
  }

  /** The queue as the API fills it. */
  get queue(): Queue<DialJob> {
    return this.api.get<Queue<DialJob>>(getQueueToken(CALL_PRODUCER), { strict: false });
  }

  /** @param end is awaited before the world closes. */
  beforeClose(end: () => Promise<unknown>): void {
    this.ends.push(end);
  }

  async close(): Promise<void> {
    for (const end of this.ends) await end();
    await this.world.close();
    rmSync(this.directory, { recursive: true });
  }

  trigger(caller: Pick<Caller, 'agentId' | 'apiKey'>, body: object): Test {
    return this.http()
      .post(`/api/voice-agents/${caller.agentId}/calls`)
      .set(bearer(caller.apiKey))
      .send(body);
  }

  /** Triggers a call that must be accepted, and waits for its job. @returns its id. */
  async accepted(caller: Pick<Caller, 'agentId' | 'apiKey'>, body: object): Promise<string> {
    const id = acceptedId(await this.trigger(caller, body));
    await this.api.get(CallQueue, { strict: false }).beforeApplicationShutdown();
    return id;
  }

  get(caller: Pick<Caller, 'apiKey'>, callRequestId: string): Test {
    return this.http().get(`/api/calls/${callRequestId}`).set(bearer(caller.apiKey));
  }

  cancel(caller: Pick<Caller, 'apiKey'>, callRequestId: string): Test {
    return this.http().post(`/api/calls/${callRequestId}/cancel`).set(bearer(caller.apiKey));
  }

  hangUp(caller: Pick<Caller, 'apiKey'>, callRequestId: string): Test {
    return this.http().post(`/api/calls/${callRequestId}/hang-up`).set(bearer(caller.apiKey));
  }

  /** Reports what was found out in a call. */
  report(caller: Pick<Caller, 'apiKey'>, callRequestId: string, result: object): Test {
    return this.http().post(`/api/calls/${callRequestId}/result`).set(bearer(caller.apiKey)).send(result);
  }

  /** Waits for a call to reach a status. */
  async until(caller: Pick<Caller, 'apiKey'>, callRequestId: string, status: string): Promise<CallView> {
    return eventually(
      async () => (await this.get(caller, callRequestId).expect(200)).body as CallView,
      (call) => call.status === status,
    );
  }

  /** A request of the operator; `path` is below `/api/admin`. */
  operator(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object): Test {
    return this.http()[method](`/api/admin${path}`).set(bearer(OPERATOR_TOKEN)).send(body);
  }

  /** The same, where it must succeed. */
  async operated(method: 'post' | 'patch' | 'delete', path: string, body?: object): Promise<Response> {
    const answer = await this.operator(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** A stored call request. */
  row(callRequestId: string): Promise<CallRow> {
    return this.stored.row(callRequestId);
  }

  /** All stored call requests of a team, oldest first. */
  rows(teamId: string): Promise<CallRow[]> {
    return this.stored.rows(teamId);
  }

  /** The last one of them. */
  latestRow(teamId: string): Promise<CallRow | null> {
    return this.stored.latest(teamId);
  }

  /** What the plan limit has counted, by month. */
  async usage(teamId: string): Promise<Record<string, number>> {
    const rows = await this.db.query<{ month: string; used: number }[]>(
      `SELECT to_char(month, 'YYYY-MM') AS month, sum(used)::integer AS used FROM plan_usage
       WHERE team_id = $1 GROUP BY 1 ORDER BY 1`,
      [teamId],
    );
    return Object.fromEntries(rows.map(({ month, used }) => [month, used]));
  }

  /** Dials that the carrier received, to one number or to all. */
  dials(to?: string): DialRecord[] {
    let text = '';
    try {
      text = readFileSync(join(this.directory, 'dials.jsonl'), 'utf8');
    } catch {
      // No worker has opened it yet.
    }
    const records = text.split('\n').filter((line) => line !== '');
    return records
      .map((line) => JSON.parse(line) as DialRecord)
      .filter((dial) => to === undefined || dial.to === to);
  }

  /** The outcome of dials from now on, in every worker. */
  setRules(...rules: SimulatorRule[]): void {
    for (const carrier of this.carriers) carrier.setRules(rules);
  }

  http() {
    return supertest(this.api.getHttpServer());
  }
}

export function simulatorOf(worker: INestApplicationContext): SimulatorCarrier {
  const carrier = worker.get(CarrierRegistry).get('simulator');
  if (!(carrier instanceof SimulatorCarrier)) throw new Error('the worker has no simulator of its own');
  return carrier;
}

/** The id of an accepted call; fails with the whole answer if it was not accepted. */
export function acceptedId(answer: Response): string {
  const { success, callRequestId } = answer.body as { success?: boolean; callRequestId?: string };
  if (answer.status !== 200 || success !== true || callRequestId === undefined) {
    throw new Error(`not accepted: ${answer.status} ${answer.text}`);
  }
  return callRequestId;
}

export function reasonOf(answer: Response): string | undefined {
  return (answer.body as { reason?: string }).reason;
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
