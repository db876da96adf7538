import { Client } from 'pg';
import { type Calling } from './calling.js';
import { type Caller } from './call-builders.js';
import { eventually } from './eventually.js';

/** A session beside the processes, whose transaction holds the locks and rows that a test wants held. */
export class LockHolder {
  private last: Promise<unknown> = Promise.resolve();

  private client!: Client;

  private constructor(private readonly calling: Calling) {}

  static async connect(calling: Calling): Promise<LockHolder> {
    const holder = new LockHolder(calling);
    await holder.open();
    return holder;
  }

  /** The same for all tests of a file. */
  static ofFile(calling: Calling): LockHolder {
    const holder = new LockHolder(calling);
    beforeAll(() => holder.open());
    calling.beforeClose(() => holder.close());
    return holder;
  }

  private async open(): Promise<void> {
    this.client = new Client({ connectionString: this.calling.world.config.databaseUrl });
    await this.client.connect();
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Statements of one session follow upon each other. */
  query<Row extends object>(text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
    const result = this.last.then(() => this.client.query<Row>(text, values));
    this.last = result.catch(() => undefined);
    return result;
  }

  number({ teamId }: Caller, phoneNumber: string): Promise<unknown> {
    return this.query('SELECT pg_advisory_xact_lock(number_lock_key($1, $2))', [teamId, phoneNumber]);
  }

  /** The platform's lock, as an addition to its list holds it. */
  platformNumber(phoneNumber: string): Promise<unknown> {
    return this.query('SELECT pg_advisory_xact_lock(platform_number_lock_key($1))', [phoneNumber]);
  }

  team({ teamId }: Caller): Promise<unknown> {
    return this.query('SELECT pg_advisory_xact_lock(team_lock_key($1))', [teamId]);
  }

  sharedTeam({ teamId }: Caller): Promise<unknown> {
    return this.query('SELECT pg_advisory_xact_lock_shared(team_lock_key($1))', [teamId]);
  }

  contact({ teamId }: Caller, phoneNumber: string): Promise<unknown> {
    return this.query('SELECT FROM contacts WHERE team_id = $1 AND phone_number = $2 FOR UPDATE', [
      teamId,
      phoneNumber,
    ]);
  }

  /**
   * Runs `change` in the holder's transaction while one of `run` waits for the advisory lock that `lock`
   * takes.
   */
  async whileHeld<T>(
    lock: () => Promise<unknown>,
    run: () => Promise<T>[],
    change: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<T[]> {
    await this.query('BEGIN');
    try {
      await lock();
      const running = run();
      await this.waited('advisory');
      await change();
      await this.query('COMMIT');
      return await Promise.all(running);
    } catch (error) {
      await this.query('ROLLBACK');
      throw error;
    }
  }

  /**
   * Resolves when a session of this database waits for a lock: of rows or an advisory one, or only an
   * advisory one.
   */
  async waited(type: 'any' | 'advisory' = 'any'): Promise<void> {
    await eventually(
      () =>
        this.calling.db.query<{ waits: boolean }[]>(
          `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND ($1 = 'any' OR locktype = $1)
             AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())) AS waits`,
          [type],
        ),
      ([row]) => row?.waits === true,
    );
  }
}
