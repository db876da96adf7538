import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/config.js';
import { STOP_WITHIN_MS } from '../../src/operations/run-process.js';
import { repositoryRoot } from '../../tools/services/paths.js';
import { composeFile, type ComposeService } from './support/compose.js';

const { services, volumes } = composeFile();
const OURS = ['migrations', 'api', 'worker'];

/** What the Compose Specification calls what is used here; anything else is a slip. */
const KEYS = new Set([
  ...['image', 'build', 'command', 'environment', 'env_file', 'restart', 'stop_grace_period'],
  ...['ports', 'volumes', 'depends_on', 'healthcheck'],
]);
const HEALTH_KEYS = ['test', 'interval', 'timeout', 'retries', 'start_period'];

/** `${NAME:-default}` and `${NAME:?message}` as Compose fills them in. */
function filled(service: ComposeService, env: Record<string, string>): Record<string, string> {
  const fill = (value: string | number) =>
    String(value).replace(
      /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
      (_, name: string, kind: string, rest: string) => {
        if (env[name] || kind !== '?') return env[name] || (rest ?? '');
        throw new Error(`${name}: ${rest}`);
      },
    );
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [name, fill(value)] as const),
  );
}

test('says nothing that Compose does not know', () => {
  const text = readFileSync(join(repositoryRoot(), 'docker-compose.yml'), 'utf8');
  const top = Object.keys(parse(text, { merge: true }) as object).filter((key) => !key.startsWith('x-'));
  expect(top).toEqual(['services', 'volumes']);
  for (const [name, service] of Object.entries(services)) {
    expect([name, Object.keys(service).filter((key) => !KEYS.has(key))]).toEqual([name, []]);
    expect(Object.keys(service.healthcheck ?? {}).filter((key) => !HEALTH_KEYS.includes(key))).toEqual([]);
  }
});

test('everything waits for what it needs: healthy servers, and migrations that have ended', () => {
  for (const [name, { depends_on: needs = {} }] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(needs)) {
      const needed = services[other];
      expect([name, other, needed !== undefined]).toEqual([name, other, true]);
      if (condition === 'service_healthy') expect(needed?.healthcheck).toBeDefined();
      else {
        expect(condition).toBe('service_completed_successfully');
        expect(needed?.restart).toBe('no');
      }
    }
  }
  for (const name of ['api', 'worker']) {
    expect(Object.keys(services[name]?.depends_on ?? {})).toEqual(['postgres', 'redis', 'migrations']);
  }
});

test('one image for all that is ours, each with its own command', () => {
  expect(Object.keys(services)).toEqual(['postgres', 'redis', ...OURS]);
  const images = OURS.map((name) => [services[name]?.image, services[name]?.build]);
  expect(new Set(images.map(String)).size).toBe(1);
  const commands = OURS.map((name) => services[name]?.command ?? []);
  expect(new Set(commands.map(String)).size).toBe(OURS.length);
  for (const [index, command] of commands.entries()) {
    const options = OURS[index] === 'migrations' ? [] : ['--no-memory-reducer'];
    const program = command.at(-1) ?? '';
    expect(command).toEqual(['node', ...options, program]);
    const source = program.replace(/^dist\//, '').replace(/\.js$/, '.ts');
    expect([program, existsSync(join(repositoryRoot(), source))]).toEqual([program, true]);
  }
});

test.each(OURS)(
  '%s gets a good configuration of what .env must have, and refuses to start without it',
  (name) => {
    const service = services[name]!;
    const least = { OPERATOR_TOKEN: 'operator-token-of-this-test', CARRIER: 'simulator' };
    const env = filled(service, { ...least, POSTGRES_PASSWORD: 'hush' });
    expect(loadConfig(env)).toMatchObject({
      ...{ nodeEnv: 'production', port: 3000, workerPort: 3001 },
      ...{ databaseUrl: 'postgres://outdial:hush@postgres:5432/outdial', redisUrl: 'redis://redis:6379' },
    });
    for (const missing of Object.keys(least)) {
      expect(() => filled(service, { ...least, [missing]: '' })).toThrow(`set ${missing} in .env`);
    }
  },
);

test('hosts, users and data directories are those of the servers beside them', () => {
  const env = filled(services.postgres!, { POSTGRES_PASSWORD: 'hush' });
  expect(env).toEqual({ POSTGRES_USER: 'outdial', POSTGRES_PASSWORD: 'hush', POSTGRES_DB: 'outdial' });
  const used = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
    mounts.map((mount) => mount.split(':')[0]),
  );
  expect(used).toEqual(Object.keys(volumes));
  expect(services.redis?.command?.join(' ')).toMatch(/--appendonly yes .*--maxmemory-policy noeviction/);
});

test('nothing but the API can be reached from outside, and that from this machine alone', () => {
  const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
  expect(open.map(([name, { ports }]) => [name, ports])).toEqual([['api', ['127.0.0.1:${PORT:-3000}:3000']]]);
});

test('a worker has longer to stop than it gives itself', () => {
  for (const name of OURS) {
    const [, seconds] = /^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '') ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThanOrEqual(STOP_WITHIN_MS + 5_000);
  }
});
