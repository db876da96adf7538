import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverAccount } from './account.js';
import { reachableDir } from './paths.js';
import { type Account } from './run.js';
import { readOrCreateSecret } from './state.js';

/** Everything that the servers of one data directory have in common. */
export interface ServerDirectory {
  /** Holds the lock, the state and the users. */
  dataDir: string;
  /** Holds the servers' data: the same directory, unless the account cannot get there. */
  base: string;
  account: Account;
  secret: string;
}

/** Finds out where the servers of a data directory are, and the user that runs them. */
export async function openServerDirectory(dataDir: string): Promise<ServerDirectory> {
  await mkdir(dataDir, { recursive: true }).catch((error: Error) => {
    throw new Error(`Cannot write to ${dataDir} (${error.message}). Set DATABASE_URL and REDIS_URL instead.`);
  });
  const account = await serverAccount(join(dataDir, 'postgres'));
  const base = await reachableDir(dataDir, account);
  return { dataDir, base, account, secret: await readOrCreateSecret(base) };
}

/** Removes what servers that do not run any more have stored; their logs stay. */
export async function removeData({ base }: ServerDirectory): Promise<void> {
  for (const server of ['postgres', 'redis']) await rm(join(base, server), { recursive: true, force: true });
}
