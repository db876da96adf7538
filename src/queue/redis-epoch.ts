import { randomUUID } from 'node:crypto';
import { type Redis } from 'ioredis';

/** A process that restores jobs and does not say for so long that it goes on has died. */
const RESTORING_SECONDS = 15;

const RESTORING = 'restoring ';

/**
 * Tells whether Redis may have lost jobs since they were last restored: whether it was emptied, replaced, or restarted, so
 * that it may lack what came last. A key of ours, the marker, holds the run id of the Redis whose jobs are complete; while
 * one process restores them it says so instead, and the others leave it to that one.
 */
export class RedisEpoch {
  private readonly restoring = RESTORING + randomUUID();

  /** @param cluster whether it is a cluster, whose nodes have run ids of their own: then only the marker tells. */
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly cluster: boolean,
  ) {}

  /**
   * Whether jobs may be missing, and this process is the one to restore them; it then calls {@link goOn} after each batch,
   * and {@link complete} at the end. Never throws: false when Redis did not tell.
   */
  begin(): Promise<boolean> {
    return this.orFalse(async () => {
      const [marker, runId] = await Promise.all([this.redis.get(this.key), this.runId()]);
      if (marker === runId || marker?.startsWith(RESTORING)) return false;
      if (marker !== null) await this.redis.del(this.key);
      return (await this.redis.set(this.key, this.restoring, 'EX', RESTORING_SECONDS, 'NX')) === 'OK';
    });
  }

  /** Never throws: false if Redis was emptied meanwhile, or did not answer. Then all begins again. */
  goOn(): Promise<boolean> {
    return this.orFalse(
      async () => (await this.redis.set(this.key, this.restoring, 'EX', RESTORING_SECONDS, 'XX')) === 'OK',
    );
  }

  /** The marker is set only where it still is: a Redis that was emptied meanwhile is found out next time. Never throws. */
  complete(): Promise<boolean> {
    return this.orFalse(async () => (await this.redis.set(this.key, await this.runId(), 'XX')) === 'OK');
  }

  private async runId(): Promise<string> {
    if (this.cluster) return 'cluster';
    try {
      return /^run_id:(\w+)/m.exec(await this.redis.info('server'))?.[1] ?? 'unknown';
    } catch (error) {
      // Where INFO is forbidden, the marker alone tells.
      if (error instanceof Error && error.name === 'ReplyError') return 'unknown';
      throw error;
    }
  }

  /** The connection logs its errors itself. */
  private async orFalse(ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await ask();
    } catch {
      return false;
    }
  }
}
