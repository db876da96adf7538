import { randomUUID } from 'node:crypto';
import { type Redis } from 'ioredis';

/** A process that restores jobs counts as dead if it does not renew its marker for this time. */
const RESTORING_SECONDS = 15;

const RESTORING = 'restoring ';

/**
 * Detects that Redis may have lost jobs since they were last restored, because it was emptied, replaced or
 * restarted. A key, the marker, holds the run id of the Redis whose jobs are complete. While one process
 * restores jobs, the marker names that process, and no other process restores jobs.
 */
export class RedisEpoch {
  private readonly restoring = RESTORING + randomUUID();

  /**
   * @param cluster whether Redis is a cluster. Its nodes have different run ids, so only the existence of the
   *   marker is checked.
   */
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly cluster: boolean,
  ) {}

  /**
   * Whether jobs may be missing and this process must restore them. The caller then invokes {@link goOn}
   * after each batch, and {@link complete} at the end. Never throws: false when Redis did not answer.
   */
  begin(): Promise<boolean> {
    return this.orFalse(async () => {
      const [marker, runId] = await Promise.all([this.redis.get(this.key), this.runId()]);
      if (marker === runId || marker?.startsWith(RESTORING)) return false;
      if (marker !== null) await this.redis.del(this.key);
      return (await this.redis.set(this.key, this.restoring, 'EX', RESTORING_SECONDS, 'NX')) === 'OK';
    });
  }

  /**
   * Renews the marker during a restoration. Returns false if the marker is missing or Redis did not answer;
   * the restoration then begins again. Never throws.
   */
  goOn(): Promise<boolean> {
    return this.orFalse(
      async () => (await this.redis.set(this.key, this.restoring, 'EX', RESTORING_SECONDS, 'XX')) === 'OK',
    );
  }

  /**
   * Ends a restoration. The marker is set only if it still exists, so that the next check detects a Redis
   * that was emptied during the restoration. Never throws.
   */
  complete(): Promise<boolean> {
    return this.orFalse(async () => (await this.redis.set(this.key, await this.runId(), 'XX')) === 'OK');
  }

  private async runId(): Promise<string> {
    if (this.cluster) return 'cluster';
    try {
      return /^run_id:(\w+)/m.exec(await this.redis.info('server'))?.[1] ?? 'unknown';
    } catch (error) {
      // If INFO is forbidden, only the existence of the marker is checked.
      if (error instanceof Error && error.name === 'ReplyError') return 'unknown';
      throw error;
    }
  }

  /** Resolves to false on an error, and does not log it. The connection logs its own errors. */
  private async orFalse(ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await ask();
    } catch {
      return false;
    }
  }
}
