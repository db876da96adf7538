import { Expose } from 'class-transformer';
import { IsUrl, Matches } from 'class-validator';
import { Flag } from './flag.decorator.js';
import { type Problems } from './problems.js';
import { PasswordReplaced } from './url-password.decorator.js';
import { IN_PRIVATE_NETWORKS } from './urls.js';

/** How Redis is reached. */
export class RedisConfig {
  @Expose({ name: 'REDIS_URL' })
  @IsUrl(
    { ...IN_PRIVATE_NETWORKS, protocols: ['redis', 'rediss'] },
    { message: 'must be a redis:// or rediss:// URL' },
  )
  @PasswordReplaced()
  redisUrl: string;

  /** Whether `REDIS_URL` is a node of a Redis Cluster, from which the client learns the other nodes. */
  @Expose({ name: 'REDIS_CLUSTER' })
  @Flag()
  redisCluster = false;

  /** Prefix of every key in Redis. Because of the braces, Redis Cluster keeps all keys on one node. */
  @Expose({ name: 'REDIS_PREFIX' })
  @Matches(/^\S+$/, { message: 'must not contain spaces' })
  redisPrefix = '{outdial}';
}

/** Reports settings that a single Redis accepts and a cluster does not. */
export function checkCluster({ redisCluster, redisUrl, redisPrefix }: RedisConfig, problems: Problems): void {
  if (!redisCluster) return;
  if (!/^\/?$/.test(new URL(redisUrl).pathname)) {
    problems.set('REDIS_URL', 'REDIS_URL: must name no database with REDIS_CLUSTER, which has but one');
  }
  if (!/\{[^{}]+\}/.test(redisPrefix)) {
    problems.set('REDIS_PREFIX', 'REDIS_PREFIX: must have braces with REDIS_CLUSTER, such as {outdial}');
  }
}
