/** Closes a run with one line that any script can read: `12 passed, 0 failed, 1 skipped`. */
module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests } = results;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`);
  }
};
