const { readdirSync, readFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { TestEnvironment } = require('jest-environment-node');
const { release } = require('./between-files.cjs');

/*
 * Each file runs its modules in its own realm, and V8 optimizes a function once per realm. Most files end
 * before that pays. The interrupt budget is the work after which V8 considers a function for optimization. Its
 * default is 67,584. With this value, the fast tests take about a sixth less CPU. Node 24 has no such flag.
 */
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=1000000');

/**
 * How long servers, connections and processes that a file has closed may take to end, also on a busy machine.
 */
const GRACE_MS = 30_000;

/**
 * Node's environment, in which a test file fails that leaves something open. A server, a connection, a timer
 * or a child process keeps the Jest worker from exiting and goes on beside the files that follow.
 */
class ClosedEnvironment extends TestEnvironment {
  before = new Map();

  async setup() {
    await super.setup();
    this.before = openResources();
  }

  async teardown() {
    const left = await leftOpen(this.before, GRACE_MS);
    const running = left.includes('ProcessWrap') ? ` Child processes: ${childProcesses().join('; ')}.` : '';
    await super.teardown();
    release();
    if (left.length > 0) {
      throw new Error(
        `The file left open what keeps a process from exiting: ${left.join(', ')}. Close it in afterAll.${running}`,
      );
    }
  }
}

/** What keeps this process running: the number of each kind of resource, by Node's names. */
function openResources() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The kinds of which more are open than before, once they are none or the time is over. */
async function leftOpen(before, withinMs) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const left = [...openResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
    if (left.length === 0 || Date.now() > deadline) return left.map(([kind]) => kind);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The commands of this process's children, by Linux; none elsewhere. */
function childProcesses() {
  try {
    return readdirSync('/proc/self/task')
      .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' '))
      .filter((pid) => pid !== '')
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 200));
  } catch {
    return [];
  }
}

module.exports = ClosedEnvironment;
module.exports.openResources = openResources;
module.exports.leftOpen = leftOpen;
