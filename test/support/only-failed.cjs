const { readFileSync } = require('node:fs');

/** Jest's filter of a second run: the files that failed in the first (`tools/run-tests.cjs`). */
module.exports = (paths) => {
  const { failedFiles } = JSON.parse(readFileSync(process.env.FAILED_REPORT, 'utf8'));
  const failed = new Set(failedFiles.map(({ file }) => file));
  return { filtered: paths.filter((path) => failed.has(path)) };
};
