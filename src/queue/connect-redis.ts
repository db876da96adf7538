import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { type Config } from '../config/config.js';
import { redisOptionsOf } from './redis-options.js';
import './bullmq-internals.js';

/** BullMQ waits at most ten seconds for a job in one command, so this time is longer. */
const SILENCE_TIMEOUT_MS = 12_000;

const retryAfter = (attempt: number) => Math.min(50 * 2 ** attempt, 1_000);

const PRODUCER_OPTIONS: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: 2_000,
  connectTimeout: 3_000,
  // Replaces a connection that was cut without notice, for example by a router.
  socketTimeout: 3_000,
  retryStrategy: retryAfter,
};

/**
 * The connection that adds jobs. While Redis is unreachable, a command fails at once instead of waiting in
 * memory. While Redis is slow, a command takes bounded time.
 */
export function connectProducer(config: Config): Redis {
  if (!config.redisCluster) return new Redis(config.redisUrl, PRODUCER_OPTIONS);
  const cluster = connectCluster(config, PRODUCER_OPTIONS, { enableOfflineQueue: false });
  // The client of a cluster has every command that is used here, and the same events and states.
  return cluster as unknown as Redis;
}

/**
 * For a connection that takes jobs. It waits for Redis without a limit, and is replaced if it receives
 * nothing for too long. However long Redis was unreachable, a job is taken within three seconds after its
 * return: BullMQ's own strategy would wait up to 20 seconds, and a connection attempt to a machine that does
 * not answer ten.
 */
export const CONSUMER_OPTIONS = {
  maxRetriesPerRequest: null,
  connectTimeout: 2_000,
  socketTimeout: SILENCE_TIMEOUT_MS,
  retryStrategy: retryAfter,
} satisfies RedisOptions;

/**
 * For a subscriber. It waits for Redis without a limit, and subscribes again after each interruption. Usually
 * nothing arrives, so only TCP keep-alive shows that the connection is lost.
 */
const SUBSCRIBER_OPTIONS: RedisOptions = {
  maxRetriesPerRequest: null,
  keepAlive: 5_000,
  retryStrategy: retryAfter,
};

export function connectSubscriber(config: Config): Redis {
  if (!config.redisCluster) return new Redis(config.redisUrl, SUBSCRIBER_OPTIONS);
  return connectCluster(config, SUBSCRIBER_OPTIONS) as unknown as Redis;
}

/** A connection to the cluster of which `REDIS_URL` is a node. */
export function connectCluster(
  { redisUrl }: Config,
  options: RedisOptions,
  ofCluster: ClusterOptions = {},
): Cluster {
  const { host, port, ...credentials } = redisOptionsOf(redisUrl);
  return new Cluster([{ host, port }], {
    ...ofCluster,
    redisOptions: { ...credentials, ...options },
    clusterRetryStrategy: retryAfter,
    // The nodes' certificates contain the names by which the nodes know each other, not their addresses.
    ...(credentials.tls ? { dnsLookup: (address, callback) => callback(null, address) } : {}),
  });
}
