import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Redis } from 'ioredis';
import { Config } from '../../src/config/config.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { ZoneDataInForce } from '../../src/database/zone-data-in-force.js';
import { HealthService } from '../../src/operations/health.service.js';
import { JobLoops } from '../../src/queue/job-loops.js';
import { PrivatePostgres } from '../../tools/faults/private-postgres.js';
import { createWorld, type World } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let world: World;
let api: NestExpressApplication;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
}, 120_000);
afterAll(() => world.close());

/** A small disk; null where this account may not mount one. */
function mountSmallDisk(): { path: string; remove: () => void } | null {
  const path = mkdtempSync(join(tmpdir(), 'outdial-disk-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    remove();
    return null;
  }
  return {
    path,
    remove: () => {
      execFileSync('umount', [path]);
      remove();
    },
  };
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let bytes = 1_048_576; bytes > 0;) {
      try {
        writeSync(descriptor, Buffer.alloc(bytes));
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

test('a Postgres whose disk is full is not ready, and is ready again once there is room', async () => {
  const disk = mountSmallDisk();
  if (disk === null) {
    process.stderr.write('A full disk is not tested: this account may not mount a small one\n');
    return;
  }
  const dataDir = join(disk.path, 'data');
  mkdirSync(dataDir);
  const postgres = await PrivatePostgres.start(dataDir);
  const transactions = new PooledTransactions({
    databaseUrl: postgres.url(),
    poolSize: 2,
    onError: () => undefined,
  });
  try {
    const health = new HealthService(
      transactions,
      api.get(Redis),
      api.get(Config),
      new JobLoops(),
      api.get(ZoneDataInForce),
    );
    const stateOf = async () => (await health.readiness()).checks.database;
    // On a busy machine, the database may not answer the first probe in time.
    await eventually(stateOf, (state) => state === 'ok');
    fill(join(disk.path, 'filler'));
    await eventually(stateOf, (state) => state === 'has no disk space left', 30_000);
    expect((await health.readiness({ withoutRedis: true })).ready).toBe(false);
    rmSync(join(disk.path, 'filler'));
    await eventually(stateOf, (state) => state === 'ok', 30_000);
  } finally {
    await transactions.close();
    await postgres.stop();
    disk.remove();
  }
}, 180_000);
