import { randomUUID } from 'node:crypto';
import { type Deployment } from '../builds/deployment.js';
import { asOperator, createTenant, type Tenant } from '../builds/tenant.js';
import { type Program } from '../faults/program.js';
import { waitForReady } from '../stack/processes.js';
import { cpuOf } from './cpu.js';
import { load, type NextRequest, postRequest } from './load.js';
import { CONNECTIONS } from './slices.js';

const TEAMS = 20;
/** Contacts that exist and are changed. */
const CONTACTS = 1_000;
const WARM_UP_SECONDS = 0.5;
const DRAIN_TIMEOUT_MS = 300_000;
const THAW_TIMEOUT_MS = 30_000;

/** Of one measurement: CPU in microseconds. */
export interface Used {
  requests: number;
  seconds: number;
  nodeUs: number;
  postgresUs: number;
  walBytes: number;
}

const KINDS = ['trigger', 'trigger, Idempotency-Key', 'enroll', 'contact upsert'] as const;
type Kind = (typeof KINDS)[number];

/** The name under which the worker's part of the triggers is reported. */
export const TO_ITS_END = 'call, to its end (worker)';

/** What is asked of a build, only through HTTP. Its processes stand still between two measurements. */
export class Workload {
  static readonly kinds: readonly Kind[] = KINDS;
  private phones = 0;
  private changes = 0;

  private constructor(
    private readonly deployment: Deployment,
    private readonly postgresCpu: () => number,
    private readonly tenants: Tenant[],
  ) {}

  /** @param postgresCpu microseconds that the server and its backends have used. */
  static async prepare(deployment: Deployment, postgresCpu: () => number): Promise<Workload> {
    const tenants: Tenant[] = [];
    for (let n = 0; n < TEAMS; n += 1) tenants.push(await createTenant(deployment.url, `Team ${n}`));
    const workload = new Workload(deployment, postgresCpu, tenants);
    let left = CONTACTS;
    await workload.ask('creating contacts', 60, () => (left-- > 0 ? workload.upsert() : null));
    deployment.api.freeze();
    deployment.worker.freeze();
    return workload;
  }

  /**
   * @returns what was used, by the name to report it under. Calls that were triggered have ended when it
   *   returns.
   */
  async run(kind: Kind, seconds: number): Promise<[string, Used][]> {
    const { api, url, db } = this.deployment;
    await db.query('VACUUM ANALYZE');
    await db.query('CHECKPOINT');
    await thaw(api, url);
    const next = this.requestsOf(kind);
    const warmUp = await this.ask(kind, WARM_UP_SECONDS, next);
    const used = await this.measured(api, () => this.ask(kind, seconds, next));
    const all: [string, Used][] = [[kind, used]];
    if (kind.startsWith('trigger')) {
      const calls = warmUp.requests + used.requests;
      all.push([TO_ITS_END, await this.drain(calls)]);
    }
    api.freeze();
    return all;
  }

  private requestsOf(kind: Kind): NextRequest {
    switch (kind) {
      case 'trigger':
        return () => this.trigger();
      case 'trigger, Idempotency-Key':
        return () => this.trigger({ 'Idempotency-Key': randomUUID() });
      case 'enroll':
        return () => {
          const { apiKey, campaignId } = this.tenantOf(this.phones + 1);
          return this.contact(apiKey, this.nextPhone(), { campaignId, name: 'Ada Lovelace' });
        };
      case 'contact upsert':
        return () => this.upsert();
    }
  }

  /** A number is called once: the second call within twelve hours would be refused. */
  private trigger(headers: Record<string, string> = {}): Buffer {
    const { agentId, apiKey } = this.tenantOf(this.phones + 1);
    const phoneNumber = this.nextPhone();
    const body = { phoneNumber, name: 'Ada Lovelace', email: 'ada@example.com', topic: 'the appointment' };
    return postRequest(this.deployment.url, `/api/voice-agents/${agentId}/calls`, apiKey, body, headers);
  }

  /** Of the same contacts again and again, with another name each time. */
  private upsert(): Buffer {
    this.changes += 1;
    const n = this.changes % CONTACTS;
    const { apiKey } = this.tenantOf(n);
    return this.contact(apiKey, `+1646${2_200_000 + n}`, { name: `Ada ${this.changes}`, plan: 'gold' });
  }

  private contact(apiKey: string, phoneNumber: string, fields: object): Buffer {
    return postRequest(this.deployment.url, '/api/campaigns/contact-enrollments', apiKey, {
      phoneNumber,
      ...fields,
    });
  }

  private nextPhone(): string {
    this.phones += 1;
    return `+1212${2_200_000 + this.phones}`;
  }

  private tenantOf(n: number): Tenant {
    const tenant = this.tenants[n % TEAMS];
    if (!tenant) throw new Error('there are no teams');
    return tenant;
  }

  private async ask(what: string, seconds: number, next: NextRequest) {
    const result = await load(this.deployment.url, CONNECTIONS, seconds, next);
    const bad = Object.keys(result.statuses).filter((status) => status !== '200');
    if (bad.length > 0)
      throw new Error(`${this.deployment.label}, ${what}: ${JSON.stringify(result.statuses)}`);
    return result;
  }

  private async measured(
    { pid = 0 }: Program,
    run: () => Promise<{ requests: number; seconds: number }>,
  ): Promise<Used> {
    const walBefore = await this.wal();
    const [node, postgres] = [cpuOf(pid), this.postgresCpu()];
    const { requests, seconds } = await run();
    const [nodeUs, postgresUs] = [cpuOf(pid) - node, this.postgresCpu() - postgres];
    return { requests, seconds, nodeUs, postgresUs, walBytes: (await this.wal()) - walBefore };
  }

  /** Bytes that Postgres has written ahead so far; nothing else writes. */
  private async wal(): Promise<number> {
    const { rows } = await this.deployment.db.query<{ bytes: number }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
    );
    return rows[0]?.bytes ?? NaN;
  }

  /** Lets the worker dial every call that waits, until all have ended. */
  private async drain(calls: number): Promise<Used> {
    const { worker } = this.deployment;
    const used = await this.measured(worker, async () => {
      const started = performance.now();
      worker.thaw();
      for (const { teamId } of this.tenants) {
        for (const status of ['queued', 'dialing', 'in_progress']) await this.none(teamId, status, started);
      }
      return { requests: calls, seconds: (performance.now() - started) / 1_000 };
    });
    worker.freeze();
    return used;
  }

  private async none(teamId: string, status: string, since: number): Promise<void> {
    for (;;) {
      const path = `/api/admin/teams/${teamId}/calls?status=${status}&limit=1`;
      const { items } = await asOperator(this.deployment.url, 'GET', path);
      if (Array.isArray(items) && items.length === 0) return;
      if (performance.now() - since > DRAIN_TIMEOUT_MS) {
        throw new Error(`${this.deployment.label}: calls of team ${teamId} stay ${status}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** Connections may have been given up meanwhile. */
async function thaw(program: Program, url: string): Promise<void> {
  program.thaw();
  await waitForReady(`${url}/health/ready`, THAW_TIMEOUT_MS);
}
