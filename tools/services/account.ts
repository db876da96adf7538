import { chown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, run } from './run.js';

async function lookUp(name: string): Promise<Account['drop']> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { uid: Number(uid.output.trim()), gid: Number(gid.output.trim()) };
}

/** Chooses the account; a data directory that another account made keeps its owner. */
export async function serverAccount(existingDataDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const existing = await lstat(existingDataDir).catch(() => undefined);
  if (existing && existing.uid !== 0) return { drop: { uid: existing.uid, gid: existing.gid } };
  const drop = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (drop) return { drop };
  throw new Error(
    'Postgres does not run as root, and there is no user "postgres" or "nobody". ' +
      'Run this as an ordinary user, or set DATABASE_URL and REDIS_URL.',
  );
}

/** Whether the account can traverse every directory down to this one. */
export async function accountCanEnter(account: Account, directory: string): Promise<boolean> {
  if (!account.drop) return true;
  const { code } = await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { account });
  return code === 0;
}

/** Gives a directory and all inside it to the account. */
export async function giveTo(account: Account, path: string): Promise<void> {
  const { drop } = account;
  if (!drop) return;
  await chown(path, drop.uid, drop.gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await giveTo(account, join(path, name));
}
