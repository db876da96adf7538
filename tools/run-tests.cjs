// `node tools/run-tests.cjs <workers> <projects> [arguments of Jest]`. A file that fails runs a second time, alone: the
// tests time real processes, and a machine that is busy for half a minute is no fault of theirs. The end names each such
// file, so that a test that fails now and then is seen and mended. A fault of the code fails both times.
const { spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** More failed files than this are no accident, and do not run again. */
const MOST_FILES_AGAIN = 10;

const root = path.resolve(__dirname, '..');
const [workers, projects, ...args] = process.argv.slice(2);
const work = mkdtempSync(path.join(tmpdir(), 'outdial-tests-'));

/** @returns Jest's exit code and, unless it did not get that far, its counts by `test/support/count-reporter.cjs` */
function run(name, more, env = {}) {
  const report = path.join(work, `${name}.json`);
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, jest, '--selectProjects', ...projects.split(','), ...args, ...more],
    { stdio: 'inherit', env: { ...process.env, ...env, COUNT_REPORT: report } },
  );
  try {
    return { code: status ?? 1, report, counts: JSON.parse(readFileSync(report, 'utf8')) };
  } catch {
    return { code: status ?? 1, report, counts: null };
  }
}

function main() {
  const first = run('first', ['--maxWorkers', workers]);
  const failed = first.counts?.failedFiles ?? [];
  if (first.code === 0 || failed.length === 0 || failed.length > MOST_FILES_AGAIN) return first.code;
  const names = failed.map(({ file }) => path.relative(process.cwd(), file)).join('\n  ');
  console.log(`\nFailed, and run again, alone:\n  ${names}\n`);
  const again = run(
    'again',
    ['--maxWorkers', '1', '--filter', path.join(root, 'test', 'support', 'only-failed.cjs')],
    { FAILED_REPORT: first.report },
  );
  if (again.counts === null) return again.code || 1;
  if (again.code === 0) console.log(`\nPassed the second time, alone:\n  ${names}`);
  const sum = (key) =>
    first.counts[key] - failed.reduce((all, file) => all + file[key], 0) + again.counts[key];
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return again.code;
}

try {
  process.exitCode = main();
} finally {
  rmSync(work, { recursive: true, force: true });
}
