import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './lock.js';

/** What was last known of the private services: a hint, verified by connecting. */
export interface ServicesState {
  postgresPort?: number;
  redisPort?: number;
  /** True once services that stay were asked for: then no passing user stops them. */
  keep?: boolean;
}

const stateFile = (dataDir: string): string => join(dataDir, 'services.json');
const usersDir = (dataDir: string): string => join(dataDir, 'users');

function port(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536
    ? value
    : undefined;
}

/** Reads the state; one that is missing, torn or nonsense counts as empty. */
export async function readState(dataDir: string): Promise<ServicesState> {
  try {
    const parsed: unknown = JSON.parse(await readFile(stateFile(dataDir), 'utf8'));
    if (typeof parsed !== 'object' || parsed === null) return {};
    const found = parsed as Record<string, unknown>;
    return {
      postgresPort: port(found.postgresPort),
      redisPort: port(found.redisPort),
      keep: found.keep === true,
    };
  } catch {
    return {};
  }
}

/** Replaces the state in one step. */
export async function writeState(dataDir: string, state: ServicesState): Promise<void> {
  const draft = `${stateFile(dataDir)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`);
  await rename(draft, stateFile(dataDir));
}

/** The servers' password: random, so that other accounts of this machine stay out. */
export async function readOrCreateSecret(directory: string): Promise<string> {
  const file = join(directory, 'secret');
  try {
    await writeFile(file, randomBytes(18).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

/** Notes that this process uses the services until it says otherwise or dies; gives the note's name. */
export async function addUser(dataDir: string): Promise<string> {
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`;
  await mkdir(usersDir(dataDir), { recursive: true });
  await writeFile(join(usersDir(dataDir), name), '');
  return name;
}

/** Takes back `addUser`. */
export async function removeUser(dataDir: string, name: string): Promise<void> {
  await unlink(join(usersDir(dataDir), name)).catch(() => undefined);
}

/** Whether a living process uses the services; forgets dead ones. */
export async function hasUsers(dataDir: string): Promise<boolean> {
  const names = await readdir(usersDir(dataDir)).catch(() => []);
  let living = false;
  for (const name of names) {
    if (isAlive(Number.parseInt(name, 10))) living = true;
    else await removeUser(dataDir, name);
  }
  return living;
}
