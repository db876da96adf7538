import { join } from 'node:path';
import { Client } from 'pg';
import { ensureDatabase, postgresUrl, startPostgres, stopPostgres } from '../services/postgres.js';
import { postgresBinDir } from '../services/postgres-binaries.js';
import { defaultCacheDir } from '../services/paths.js';
import { openServerDirectory, type ServerDirectory } from '../services/server-directory.js';
import { mustRun, pause } from '../services/run.js';

/** A Postgres of the harness's own, that may be killed. */
export class PrivatePostgres {
  private constructor(
    private readonly directory: ServerDirectory,
    private readonly binDir: string,
    private current: number,
  ) {}

  static async start(dataDir: string): Promise<PrivatePostgres> {
    const directory = await openServerDirectory(dataDir);
    const binDir = await postgresBinDir(directory.account, defaultCacheDir());
    const postgres = new PrivatePostgres(directory, binDir, await startPostgres(directory, binDir));
    try {
      // So that the checker can ask when an entry of Do Not Call was committed.
      await postgres.asAdministrator((client) =>
        client.query('ALTER SYSTEM SET track_commit_timestamp = on'),
      );
      await postgres.restart();
      await ensureDatabase(directory, postgres.port);
      return postgres;
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  get port(): number {
    return this.current;
  }

  /** @param port of a proxy before it, or its own. */
  url(port = this.current): string {
    return postgresUrl(this.directory, port);
  }

  async start(): Promise<void> {
    this.current = await startPostgres(this.directory, this.binDir, this.current);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Connections are cut; what was committed is kept. */
  async stop(): Promise<void> {
    await stopPostgres(this.directory, this.binDir);
  }

  /** As a power cut: nothing is written any more, and the next start recovers from the log. */
  async stopImmediately(): Promise<void> {
    const args = [
      'stop',
      '--pgdata',
      join(this.directory.base, 'postgres'),
      '--mode',
      'immediate',
      '--silent',
    ];
    await mustRun(join(this.binDir, 'pg_ctl'), args, { account: this.directory.account });
  }

  /**
   * Opens a connection to be sacrificed. The returned function kills the process that serves it, upon which
   * Postgres ends all others and recovers as from a crash.
   */
  async victim(): Promise<() => void> {
    const client = this.administrator();
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    return () => {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Another fault has restarted Postgres meanwhile.
      }
    };
  }

  /** Waits until it accepts connections, as after a crash. */
  async recovered(): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      try {
        await this.asAdministrator((client) => client.query('SELECT 1'));
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await pause(50);
      }
    }
  }

  private async asAdministrator<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = this.administrator();
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private administrator(): Client {
    const client = new Client({
      connectionString: postgresUrl(this.directory, this.current, 'postgres'),
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    return client;
  }
}
