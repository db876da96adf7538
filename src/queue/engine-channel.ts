import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { connectSubscriber } from './connect-redis.js';
import { EngineWakeUps } from './wake-ups.js';

/**
 * All wake-ups within this time share one message, so that a thousand ended calls a second cause twenty
 * messages.
 */
const TOGETHER_MS = 50;

export const engineChannel = ({ redisPrefix }: Pick<Config, 'redisPrefix'>) => `${redisPrefix}:engine`;

/** Wakes the engines of the workers through Redis, from a process that has no engine. */
@Injectable()
export class PublishedEngineWakeUps extends EngineWakeUps implements OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly config: Config,
  ) {
    super();
  }

  wake(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.redis.publish(engineChannel(this.config), '').catch(() => undefined);
    }, TOGETHER_MS);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }
}

/**
 * Wakes the engine of this worker: for its own calls at once, and through Redis for calls whose end was
 * reported to the API.
 */
@Injectable()
export class WorkerEngineWakeUps extends EngineWakeUps implements OnApplicationShutdown {
  private readonly logger = new Logger(WorkerEngineWakeUps.name);
  private subscriber: Redis | undefined;
  private listener: () => void = () => undefined;

  constructor(private readonly config: Config) {
    super();
  }

  wake(): void {
    this.listener();
  }

  /**
   * Invokes `listener` for each wake-up from now on.
   * @returns once the subscription to the wake-ups of other processes is confirmed or has failed.
   */
  async listen(listener: () => void): Promise<void> {
    this.listener = listener;
    this.subscriber = connectSubscriber(this.config);
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', () => this.listener());
    try {
      await this.subscriber.subscribe(engineChannel(this.config));
    } catch (error) {
      this.logger.warn(`no wake-ups from other processes: ${(error as Error).message}`);
    }
  }

  /** No wake-up invokes the listener any more. */
  close(): void {
    this.listener = () => undefined;
  }

  onApplicationShutdown(): void {
    this.close();
    this.subscriber?.disconnect();
  }
}
