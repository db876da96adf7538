const { readdirSync, readFileSync } = require('node:fs');

/** What a Jest worker should hold at most. */
const MAX_WORKER_MB = 600;

/**
 * Closes a run with one line that any script can read: `12 passed, 0 failed, 1 skipped`. Before it, if the
 * system shows it, the memory of the largest worker: an application that outlives its test file shows there
 * first.
 */
module.exports = class CountReporter {
  mostMb = 0;

  onTestFileResult() {
    this.mostMb = Math.max(this.mostMb, ...workersMb());
  }

  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests } = results;
    if (this.mostMb > 0) {
      const excess = this.mostMb > MAX_WORKER_MB ? `, more than ${MAX_WORKER_MB}` : '';
      process.stdout.write(`largest worker: ${Math.round(this.mostMb)} MB${excess}\n`);
    }
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`);
  }
};

/**
 * Resident memory of each worker of this process, by Linux; none elsewhere, and where the tests run in this
 * process.
 */
function workersMb() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(workerMb)
      .filter((mb) => mb !== null);
  } catch {
    return [];
  }
}

function workerMb(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) !== process.pid) return null;
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('jest-worker')) return null;
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]) / 1024;
  } catch {
    return null;
  }
}
