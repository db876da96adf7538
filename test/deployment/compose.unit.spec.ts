import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadDatabaseUrl } from '../../src/config/database-url.js';
import { loadConfig, loadWorkerConfig } from '../../src/configuration.js';
import { STOP_WITHIN_MS } from '../../src/operations/run-process.js';
import { repositoryRoot } from '../../tools/services/paths.js';
import { composeFile, type ComposeService } from './support/compose.js';

const { services, volumes } = composeFile();
const OURS = ['migrations', 'api', 'worker'];

/** What the Compose Specification calls what is used here; anything else is a slip. */
const KEYS = new Set([
  'image',
  'build',
  'command',
  'environment',
  'env_file',
  'restart',
  'stop_grace_period',
  'stop_signal',
  'ports',
  'volumes',
  'depends_on',
  'healthcheck',
  'user',
  'cap_drop',
  'security_opt',
  'read_only',
  'tmpfs',
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

test('has only keys of Compose', () => {
  const text = readFileSync(join(repositoryRoot(), 'docker-compose.yml'), 'utf8');
  const top = Object.keys(parse(text, { merge: true }) as object).filter((key) => !key.startsWith('x-'));
  expect(top).toEqual(['services', 'volumes']);
  for (const [name, service] of Object.entries(services)) {
    expect([name, Object.keys(service).filter((key) => !KEYS.has(key))]).toEqual([name, []]);
    expect(Object.keys(service.healthcheck ?? {}).filter((key) => !HEALTH_KEYS.includes(key))).toEqual([]);
  }
});

test('services start after healthy servers and finished migrations', () => {
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

test('the health check of the API ignores Redis, and that of the worker does not', () => {
  const addresses = ['api', 'worker'].map((name) => {
    const test = services[name]?.healthcheck?.test ?? [];
    return /fetch\('([^']+)'\)/.exec(test.join(' '))?.[1];
  });
  expect(addresses).toEqual([
    'http://127.0.0.1:3000/health/ready?without=redis',
    'http://127.0.0.1:3001/health/ready',
  ]);
});

test('all services of this repository use one image with their own commands', () => {
  expect(Object.keys(services).sort()).toEqual(['postgres', 'redis', 'proxy', ...OURS].sort());
  const images = OURS.map((name) => [services[name]?.image, services[name]?.build]);
  expect(new Set(images.map(String)).size).toBe(1);
  const commands = OURS.map((name) => services[name]?.command ?? []);
  expect(new Set(commands.map(String)).size).toBe(OURS.length);
  for (const [index, command] of commands.entries()) {
    const options = OURS[index] === 'migrations' ? [] : ['--no-memory-reducer', '--v8-pool-size=1'];
    const program = command.at(-1) ?? '';
    expect(command).toEqual(['node', ...options, program]);
    const source = program.replace(/^dist\//, '').replace(/\.js$/, '.ts');
    expect([program, existsSync(join(repositoryRoot(), source))]).toEqual([program, true]);
  }
});

/** What `.env` must have for a service to start. */
const NEEDED: Record<string, string[]> = {
  postgres: ['POSTGRES_PASSWORD', 'OUTDIAL_OWNER_PASSWORD', 'OUTDIAL_LOGIN_PASSWORD'],
  redis: ['REDIS_PASSWORD'],
  migrations: ['OUTDIAL_OWNER_PASSWORD'],
  api: ['OPERATOR_TOKEN', 'CARRIER', 'OUTDIAL_OWNER_PASSWORD', 'OUTDIAL_LOGIN_PASSWORD', 'REDIS_PASSWORD'],
  worker: ['CARRIER', 'OUTDIAL_LOGIN_PASSWORD', 'REDIS_PASSWORD'],
};
const ENV: Record<string, string> = {
  OPERATOR_TOKEN: 'operator-token-of-this-test',
  CARRIER: 'simulator',
  POSTGRES_PASSWORD: 'hush-engine',
  OUTDIAL_OWNER_PASSWORD: 'hush-owner',
  OUTDIAL_LOGIN_PASSWORD: 'hush-login',
  REDIS_PASSWORD: 'hush-redis',
};

test.each(Object.entries(NEEDED))('%s does not start without %j: secrets have no default', (name, needed) => {
  const service = services[name]!;
  for (const missing of Object.keys(ENV)) {
    const start = () => filled(service, { ...ENV, [missing]: '' });
    if (needed.includes(missing)) expect(start).toThrow(`set ${missing} in .env`);
    else expect(start).not.toThrow();
  }
});

test('the API and the worker get a valid configuration', () => {
  const [owner, login] = ['outdial:hush-owner', 'outdial_login:hush-login'];
  const common = {
    nodeEnv: 'production',
    port: 3000,
    workerPort: 3001,
    redisUrl: 'redis://:hush-redis@redis:6379',
    databaseUrl: `postgres://${login}@postgres:5432/outdial`,
  };
  const operator = { databaseOperatorUrl: `postgres://${owner}@postgres:5432/outdial` };
  expect(loadConfig(filled(services.api!, ENV))).toMatchObject({ ...common, ...operator });
  expect(loadWorkerConfig(filled(services.worker!, ENV))).toMatchObject(common);
  expect(loadDatabaseUrl(filled(services.migrations!, ENV))).toBe(operator.databaseOperatorUrl);
});

test('each process gets only the secrets that it needs, whatever .env contains', () => {
  const example = readFileSync(join(repositoryRoot(), '.env.example'), 'utf8');
  const secrets = [...example.matchAll(/^(\w*(?:TOKEN|PASSWORD|SECRET|OPERATOR_URL))=/gm)].map(
    ([, name = '']) => name,
  );
  expect(secrets.length).toBeGreaterThan(8);
  const all = Object.fromEntries([...secrets, ...Object.keys(ENV)].map((name) => [name, `hush-${name}`]));
  const given = (name: string) => {
    const service = services[name]!;
    const env = { ...(service.env_file === '.env' ? all : {}), ...filled(service, all) };
    return Object.keys(all).filter((secret) => env[secret]);
  };
  const both = secrets.filter((name) => /^(METRICS|HTTP_CARRIER|TWILIO_AUTH|LIVEKIT|ELEVENLABS)_/.test(name));
  const ofApi = [
    'OPERATOR_TOKEN',
    'BULL_BOARD_PASSWORD',
    'DATABASE_OPERATOR_URL',
    'OIDC_CLIENT_SECRET',
    'SIMULATOR_CALLBACK_TOKEN',
  ];
  expect(given('api').sort()).toEqual([...both, ...ofApi, 'CARRIER'].sort());
  expect(given('worker').sort()).toEqual([...both, 'TWILIO_API_KEY_SECRET', 'CARRIER'].sort());
  expect(given('migrations')).toEqual([]);
});

test('every service runs without capabilities and new privileges, on a read-only file system', () => {
  for (const [name, service] of Object.entries(services)) {
    const { cap_drop, security_opt, read_only } = service;
    expect({ name, cap_drop, security_opt, read_only }).toEqual({
      name,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
    });
    // Of ours, the image says so.
    if (!OURS.includes(name)) expect(service.user).toBe(name === 'proxy' ? 'nginx' : name);
  }
});

test('the roles are created at the first start by an administrator, whose password no process has', () => {
  expect(services.postgres?.volumes).toContain('./deploy/postgres:/docker-entrypoint-initdb.d:ro');
  expect(services.postgres?.environment?.POSTGRES_USER).toBe('postgres');
  const directory = join(repositoryRoot(), 'deploy/postgres');
  expect(readdirSync(directory).sort()).toEqual(['10-roles.sql', '20-passwords.sh']);
  const script = readFileSync(join(directory, '20-passwords.sh'), 'utf8');
  const named = [...script.matchAll(/ALTER ROLE (\w+) PASSWORD/g)].map(([, role]) => role);
  expect(named).toEqual(['outdial', 'outdial_login']);
  execFileSync('bash', ['-n', join(directory, '20-passwords.sh')]);
});

test('hosts, users and data directories match the servers', () => {
  expect(filled(services.postgres!, ENV)).toMatchObject({
    POSTGRES_USER: 'postgres',
    POSTGRES_DB: 'outdial',
  });
  const used = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
    mounts.map((mount) => mount.split(':')[0] ?? ''),
  );
  expect(used.filter((source) => !source.startsWith('./'))).toEqual(Object.keys(volumes));
  expect(services.redis?.command?.join(' ')).toMatch(
    /--appendonly yes .*--maxmemory-policy noeviction .*--requirepass \$\{REDIS_PASSWORD/,
  );
});

test('only the proxy is reachable, and only from this machine', () => {
  const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
  expect(open.map(([name, { ports }]) => [name, ports])).toEqual([
    ['proxy', ['127.0.0.1:${PORT:-3000}:8080']],
  ]);
});

test('the proxy has the shipped configuration, and the API trusts its address', () => {
  const { proxy } = services;
  const configuration = readFileSync(join(repositoryRoot(), 'deploy/nginx.conf'), 'utf8');
  expect(configuration).toMatch(/^ {8}listen 8080 /m);
  expect(configuration).toMatch(/^ {8}server api:3000;/m);
  for (const mount of proxy?.volumes ?? []) {
    const [source = ''] = mount.split(':');
    expect([source, existsSync(join(repositoryRoot(), source))]).toEqual([source, true]);
  }
  // Whatever it includes without a pattern must be there.
  for (const [, name = ''] of configuration.matchAll(/include \/etc\/nginx\/outdial\/([\w.-]+);/g))
    expect(readdirSync(join(repositoryRoot(), 'deploy/proxy'))).toContain(name);
  const { trustedProxies } = loadConfig(filled(services.api!, ENV));
  expect(trustedProxies).toContain('172.16.0.0/12');
  expect(loadConfig(filled(services.api!, { ...ENV, TRUSTED_PROXIES: '192.0.2.7' })).trustedProxies).toBe(
    '192.0.2.7',
  );
});

test('a worker’s stop period exceeds its own shutdown time', () => {
  for (const name of OURS) {
    const [, seconds] = /^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '') ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThanOrEqual(STOP_WITHIN_MS + 5_000);
  }
});
