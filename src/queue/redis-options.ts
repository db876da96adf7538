/** The address and the credentials of a Redis. */
export interface RedisAddress {
  host: string;
  port: number;
  username?: string;
  password?: string;
  db?: number;
  tls?: Record<string, never>;
}

/**
 * The parts of a Redis URL as BullMQ's options.
 *
 * @param url `redis[s]://[user[:password]@]host[:port][/db]`
 */
export function redisOptionsOf(url: string): RedisAddress {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const db = pathname.slice(1);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 6379 : Number(port),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(db === '' ? {} : { db: Number(db) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}
