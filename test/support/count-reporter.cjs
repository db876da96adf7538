const { readdirSync, readFileSync, writeFileSync } = require('node:fs');

/** What a process of Jest should hold at most. */
const MAX_PROCESS_MB = 600;

/**
 * Closes a run with one line that any script can read: `12 passed, 0 failed, 1 skipped`. Before it, if the
 * system shows it, the most memory that a process of Jest held at any time: an application that outlives its
 * test file shows there first. It fails no run, because it depends on when V8 collects garbage.
 *
 * `COUNT_REPORT` names a file that gets the counts, and those of each file that failed, as JSON.
 */
module.exports = class CountReporter {
  mostMb = 0;

  onTestFileResult() {
    this.mostMb = Math.max(this.mostMb, ...processesMb());
  }

  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests } = results;
    if (this.mostMb > 0) {
      const excess = this.mostMb > MAX_PROCESS_MB ? `, more than ${MAX_PROCESS_MB}` : '';
      process.stdout.write(`largest process: ${Math.round(this.mostMb)} MB${excess}\n`);
    }
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`);
    if (process.env.COUNT_REPORT) writeFileSync(process.env.COUNT_REPORT, JSON.stringify(countsOf(results)));
  }
};

function countsOf(results) {
  const failedFiles = results.testResults
    .filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError)
    .map(({ testFilePath, numPassingTests, numFailingTests, numPendingTests }) => ({
      file: testFilePath,
      passed: numPassingTests,
      failed: numFailingTests,
      skipped: numPendingTests,
    }));
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests,
    skipped: results.numPendingTests,
    failedFiles,
  };
}

/** The most resident memory so far of this process and of each of its workers, by Linux; none elsewhere. */
function processesMb() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(processMb)
      .filter((mb) => mb !== null);
  } catch {
    return [];
  }
}

/** @returns null for a process that is not one of Jest's, or that has ended. */
function processMb(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (Number(pid) !== process.pid) {
      if (Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) !== process.pid) return null;
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('jest-worker')) return null;
    }
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1]) / 1024;
  } catch {
    return null;
  }
}
