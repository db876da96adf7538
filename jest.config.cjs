const base = require('./jest.base.cjs');

const services = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** @type {import('jest').Config} */
module.exports = {
  // One more than the cores of a small machine: tests wait for commits, for timers and for processes.
  // `npm run test:fast` has four workers, because two of them often wait for timeouts.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/in-order.cjs',
  // Of `test.concurrent`, whose tests mostly wait.
  maxConcurrency: 20,
  testTimeout: base.testTimeout,
  // Of the heap, after a file. V8 collects late where memory is plenty, so that workers would hold twice what
  // they need. During a file, the heap's limit that the commands set for the workers, too, keeps them below
  // 600 MB.
  workerIdleMemoryLimit: '230MB',
  // A worker frees a large heap for longer than the default of 500 ms where the machine is busy. What a file
  // leaves open fails that file (test/support/environment.cjs).
  workerGracefulExitTimeout: 10_000,
  reporters: ['default', '<rootDir>/test/support/count-reporter.cjs'],
  projects: [
    // `*.unit.spec.ts` need neither Postgres nor Redis nor a compiler: `npm run test:fast` starts nothing.
    {
      ...base,
      displayName: 'fast',
      testMatch: ['<rootDir>/test/**/*.unit.spec.ts'],
      setupFiles: ['<rootDir>/test/support/no-services.cjs'],
    },
    {
      ...base,
      ...services,
      displayName: 'services',
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(?:unit|slow)\\.spec\\.ts$'],
    },
    // `*.slow.spec.ts` take about half a minute or more. `npm run test:slow` runs them; `npm test` leaves them out.
    { ...base, ...services, displayName: 'slow', testMatch: ['<rootDir>/test/**/*.slow.spec.ts'] },
  ],
};
