import { DatabaseBusyError, isLockTimeout } from './database-errors.js';

/** How often a request waits for `LOCK_WAIT_MS`: 3 seconds in all. */
export const LOCK_WAITS = 30;

/** How long a request may stay in its team's queue, in milliseconds. */
export const QUEUE_TIMEOUT_MS = 10_000;

interface Team {
  running: number;
  waiting: (() => void)[];
}

/**
 * Bounds how many connections are occupied by work that may wait for a lock: `permits` in all, `permitsPerTeam` for one
 * team. Work without a permit waits in the queue of its team, and the teams' queues are served in turn.
 */
export class TeamSemaphore {
  /** The teams with work, the one to be served next first. */
  private readonly teams = new Map<string, Team>();
  private free: number;

  constructor(
    permits: number,
    private readonly permitsPerTeam: number,
  ) {
    this.free = permits;
  }

  /**
   * @param withinMs how long to wait for a permit at most.
   * @throws DatabaseBusyError when there was no permit in time, or what `work` throws.
   */
  async run<T>(team: string, work: () => Promise<T>, withinMs?: number): Promise<T> {
    await this.permit(team, withinMs);
    try {
      return await work();
    } finally {
      this.release(team);
    }
  }

  /**
   * Runs a transaction that limits its lock waits to `LOCK_WAIT_MS`. Between two waits it has neither a connection nor
   * a permit, so that a lock which is held for long occupies neither.
   *
   * @throws DatabaseBusyError, or what `work` throws: the lock timeout after {@link LOCK_WAITS} of them.
   */
  async runWithLocks<T>(team: string, work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + QUEUE_TIMEOUT_MS;
    for (let wait = 1; ; wait += 1) {
      try {
        return await this.run(team, work, Math.max(0, deadline - performance.now()));
      } catch (error) {
        if (!isLockTimeout(error) || wait === LOCK_WAITS) throw error;
      }
    }
  }

  private permit(name: string, withinMs: number | undefined): Promise<void> {
    let team = this.teams.get(name);
    if (team === undefined) this.teams.set(name, (team = { running: 0, waiting: [] }));
    const { waiting } = team;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(start), 1);
        this.forget(name);
        reject(new DatabaseBusyError('The queue of the team is too long'));
      };
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(start);
      this.startNext();
    });
  }

  private release(name: string): void {
    const team = this.teams.get(name) as Team;
    team.running -= 1;
    this.free += 1;
    this.forget(name);
    this.startNext();
  }

  private forget(name: string): void {
    const team = this.teams.get(name);
    if (team?.running === 0 && team.waiting.length === 0) this.teams.delete(name);
  }

  private startNext(): void {
    if (this.free === 0) return;
    for (const [name, team] of this.teams) {
      if (team.running === this.permitsPerTeam) continue;
      const start = team.waiting.shift();
      if (start === undefined) continue;
      this.free -= 1;
      team.running += 1;
      // Behind all others.
      this.teams.delete(name);
      this.teams.set(name, team);
      start();
      return;
    }
  }
}
