import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDataDir, nameFor, ownDir } from '../../tools/services/paths.js';

/** Files in memory, on Linux. */
const IN_MEMORY = '/dev/shm';

/** What a run may hold at one time, with room to spare. */
const NEEDED_BYTES = 4_000_000_000;

/**
 * Where the tests' servers keep their data: in memory if there is room, else under `.data/`. Each file of
 * tests has a database of its own, of 650 files. ext4 does not reuse an inode for minutes after its file was
 * deleted, and looks at all of these for each new file. That takes half a second for each database.
 */
export async function testDataDir(): Promise<string> {
  const onDisk = join(defaultDataDir(), 'tests');
  const room = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (Math.min(room, process.availableMemory()) < NEEDED_BYTES) return onDisk;
  return ownDir(join(IN_MEMORY, nameFor(onDisk)));
}
