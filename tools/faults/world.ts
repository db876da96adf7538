import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { migrate } from '../../src/database/migrate.js';
import { freePort } from '../services/ports.js';
import { Campaigns } from './campaign-teams.js';
import { CarrierProxy } from './carrier-proxy.js';
import { FAULT_CARRIERS, type FaultCarrier } from './carriers.js';
import { readDials } from './dial-log.js';
import { copyDist } from './dist-copy.js';
import { enforcePack, writePack } from './faults-pack.js';
import { carrierEnvironment, nodeEnvironment, OPERATOR_TOKEN } from './environments.js';
import { EventReader } from './event-reader.js';
import { Liveness } from './liveness.js';
import { packHoursFrom, type PackHours } from './pack-windows.js';
import { PostgresProxy } from './postgres-proxy.js';
import { PrivatePostgres } from './private-postgres.js';
import { PrivateRedis } from './private-redis.js';
import { Program } from './program.js';
import { Random } from './random.js';
import { ResultClient } from './result-client.js';
import { sabotageDatabase } from './sabotage-database.js';
import { addStrayJobs, type StrayJob } from './stray-jobs.js';
import { createCampaignTeams, createTenants, Numbers, SIMULATOR_RULES, type Tenant } from './tenants.js';
import { TcpProxy } from './tcp-proxy.js';
import { TriggerClient } from './trigger-client.js';
import { Webhooks } from './webhooks.js';
import { type WorldOptions } from './world-options.js';

/** One process with the proxies that only it goes through. */
export interface Node {
  name: string;
  program: Program;
  postgres: PostgresProxy;
  redis: TcpProxy;
  carrier: CarrierProxy;
}

/**
 * A whole Outdial of the harness's own: servers that may be killed, processes, the carrier, and proxies
 * between them.
 */
export class World {
  private static readonly open = new Set<World>();
  private readonly disposals: (() => Promise<unknown>)[] = [];
  directory: string;
  private logDirectory: string;
  private built: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  postgres: PrivatePostgres;
  redis: PrivateRedis;
  private carrierControl: string;
  api: Node;
  workers: [Node, Node];
  /** Straight to Postgres, past every proxy. */
  db: Pool;
  tenants: Tenant[];
  campaigns: Campaigns;
  /** When the pack allows calls, which holds for {@link packTeams}. */
  packHours: PackHours;
  numbers: Numbers;
  client: TriggerClient;
  results: ResultClient;
  events: EventReader;
  webhooks: Webhooks;
  liveness: Liveness;

  private constructor() {}

  static async create(options: WorldOptions): Promise<World> {
    const world = new World();
    World.open.add(world);
    try {
      world.built = world.build(options);
      await world.built;
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** For a harness that is told to end. */
  static async closeAll(): Promise<void> {
    await Promise.all([...World.open].map((world) => world.close()));
  }

  /** Also those that only campaigns are of. */
  get teams(): Tenant[] {
    return [...this.tenants, ...this.campaigns.teams];
  }

  /** Teams that enforce the pack. */
  get packTeams(): string[] {
    return this.teams.filter(({ hasPack }) => hasPack).map(({ teamId }) => teamId);
  }

  get nodes(): Node[] {
    return [this.api, ...this.workers];
  }

  private get dialLog(): string {
    return join(this.directory, 'dials.log');
  }

  /** Ends everything that was started, and removes every file. */
  close(): Promise<void> {
    this.closing ??= this.dispose().finally(() => World.open.delete(this));
    return this.closing;
  }

  /** The carrier's own log: the only witness of dials. */
  dials(): Promise<DialRecord[]> {
    return readDials(this.dialLog);
  }

  /** Replaces the carrier's rules. */
  async setRules(rules: object[]): Promise<void> {
    const response = await fetch(`${this.carrierControl}/rules`, {
      method: 'PUT',
      body: JSON.stringify(rules),
    });
    if (!response.ok) throw new Error(`the carrier refused its rules: ${await response.text()}`);
  }

  /** Adds jobs past Outdial, as a queue that delivers what it should not. */
  addJobs(jobs: StrayJob[]): Promise<void> {
    return addStrayJobs(this.redis.url(), jobs);
  }

  /** Moves the clock of the rules, by a Postgres interval. */
  async moveClock(offset: string): Promise<void> {
    await this.db.query(
      `CREATE OR REPLACE FUNCTION outdial_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
         AS $$ SELECT clock_timestamp() + interval '${offset}' $$`,
    );
  }

  /**
   * Ends all faults: proxies pass, servers and processes run, receivers take, and the carrier has its first
   * rules.
   */
  async heal(): Promise<void> {
    for (const node of this.nodes) {
      for (const proxy of [node.postgres, node.redis, node.carrier]) proxy.heal();
      node.program.thaw();
    }
    await this.postgres.start();
    await this.redis.run((redis) => redis.ping()).catch(() => this.redis.start());
    await this.redis.run((redis) => redis.config('SET', 'maxmemory', '0'));
    await this.setRules(SIMULATOR_RULES);
    for (const { program } of this.nodes) if (!program.running) await program.start();
    this.webhooks.heal();
  }

  /** What is still being started meanwhile is ended, too. */
  private async dispose(): Promise<void> {
    await this.built?.catch(() => undefined);
    for (const dispose of this.disposals.reverse()) await dispose().catch(() => undefined);
  }

  private async build(options: WorldOptions): Promise<void> {
    const { random, calls, attempts = 0, sabotage, logDirectory, carrier = 'simulator' } = options;
    this.directory = await mkdtemp(join(tmpdir(), 'outdial-faults-'));
    this.disposals.push(() => rm(this.directory, { recursive: true, force: true }));
    // Postgres runs as another account where this runs as root.
    await chmod(this.directory, 0o711);
    this.logDirectory = logDirectory ?? this.directory;
    await mkdir(this.logDirectory, { recursive: true });
    const dist = await copyDist(this.directory, sabotage);
    await mkdir(join(this.directory, 'services'), { mode: 0o711 });
    this.postgres = await PrivatePostgres.start(join(this.directory, 'services'));
    this.disposals.push(() => this.postgres.stop());
    this.redis = await PrivateRedis.start();
    this.disposals.push(() => this.redis.kill());
    await migrate(this.postgres.url());
    this.db = new Pool({ connectionString: this.postgres.url(), max: 4, connectionTimeoutMillis: 5_000 });
    this.db.on('error', () => undefined);
    this.disposals.push(() => this.db.end());
    const { carrierSettings } = FAULT_CARRIERS[carrier];
    this.tenants = await createTenants(this.db, calls, carrierSettings);
    this.campaigns = await Campaigns.create(
      this.db,
      await createCampaignTeams(this.db, attempts, carrierSettings),
    );
    this.packHours = packHoursFrom(Date.now());
    const packs = await writePack(this.directory, this.packHours);
    await enforcePack(this.db, this.packTeams);
    await sabotageDatabase(this.db, sabotage);
    this.numbers = new Numbers(random);
    await this.startPrograms(dist, carrier, { PACKS_DIR: packs, ...options.env });
  }

  private async startPrograms(
    dist: string,
    carrierName: FaultCarrier,
    env?: NodeJS.ProcessEnv,
  ): Promise<void> {
    const apiPort = await freePort();
    const publicUrl = `http://127.0.0.1:${apiPort}`;
    this.client = new TriggerClient(publicUrl, OPERATOR_TOKEN);
    this.results = new ResultClient(publicUrl, FAULT_CARRIERS[carrierName].reportsResults);
    const carrierPort = await this.startCarrier(dist, carrierName, publicUrl);
    const node = async (name: string, entry: string, portName: string, port: number): Promise<Node> => {
      const postgres = new PostgresProxy(() => this.postgres.port);
      const redis = new TcpProxy(() => this.redis.port);
      const carrier = new CarrierProxy(() => carrierPort);
      for (const proxy of [postgres, redis, carrier]) {
        await proxy.listen();
        this.disposals.push(() => proxy.close());
      }
      const program = this.program(dist, entry, name, `http://127.0.0.1:${port}/health/ready`, {
        [portName]: String(port),
        DATABASE_URL: this.postgres.url(postgres.port),
        REDIS_URL: this.redis.url(redis.port),
        ...nodeEnvironment(carrierName, `http://127.0.0.1:${carrier.port}`, publicUrl),
        ...env,
      });
      return { name, program, postgres, redis, carrier };
    };
    this.api = await node('api', 'src/main', 'PORT', apiPort);
    this.workers = [
      await node('worker-1', 'src/worker', 'WORKER_PORT', await freePort()),
      await node('worker-2', 'src/worker', 'WORKER_PORT', await freePort()),
    ];
    await Promise.all(this.nodes.map(({ program }) => program.start()));
    // Numbers of its own: how often a receiver draws depends on the traffic, and a seed repeats the faults.
    this.webhooks = new Webhooks(new Random(0), this.db);
    this.disposals.push(() => this.webhooks.close());
    await this.webhooks.register(publicUrl, this.teams);
    this.liveness = new Liveness(
      this.db,
      this.nodes.map(({ program }) => program.liveUrl),
    );
    this.events = new EventReader(publicUrl, this.teams);
    this.disposals.push(() => this.events.stop());
  }

  /** @returns the port at which the carrier is asked for calls. */
  private async startCarrier(dist: string, name: FaultCarrier, publicUrl: string): Promise<number> {
    const { entry, listensTwice } = FAULT_CARRIERS[name];
    const controlPort = await freePort();
    const port = listensTwice ? await freePort() : controlPort;
    this.carrierControl = `http://127.0.0.1:${controlPort}`;
    const env = carrierEnvironment(name, { port, controlPort, publicUrl, dialLog: this.dialLog });
    await this.program(dist, entry, 'carrier', `${this.carrierControl}/health`, env).start();
    return port;
  }

  private program(
    dist: string,
    entry: string,
    name: string,
    readyUrl: string,
    env: NodeJS.ProcessEnv,
  ): Program {
    const logFile = join(this.logDirectory, `${name}.log`);
    const program = new Program({ dist, entry, env, logFile, readyUrl });
    this.disposals.push(() => {
      program.thaw();
      return program.kill();
    });
    return program;
  }
}
