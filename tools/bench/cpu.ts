import { readdirSync, readFileSync } from 'node:fs';

/** `getconf CLK_TCK` on every Linux that there is. */
const MICROSECONDS_A_TICK = 10_000;

/**
 * Microseconds of CPU that a process, and with `family` its children dead or alive, have used; NaN where the
 * system does not tell.
 */
export function cpuOf(pid: number, family = false): number {
  const own = read(pid);
  if (own === undefined) return NaN;
  if (!family) return own.used * MICROSECONDS_A_TICK;
  const ticks = processes()
    .filter(({ parent }) => parent === pid)
    .reduce((sum, { used }) => sum + used, own.used + own.usedByDead);
  return ticks * MICROSECONDS_A_TICK;
}

interface Stat {
  parent: number;
  used: number;
  usedByDead: number;
}

function read(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (index: number) => Number(fields[index - 3]);
    return { parent: at(4), used: at(14) + at(15), usedByDead: at(16) + at(17) };
  } catch {
    return undefined;
  }
}

function processes(): Stat[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => read(Number(pid))).filter((stat) => stat !== undefined);
}
