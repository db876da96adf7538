const base = require('./jest.base.cjs');

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  testTimeout: base.testTimeout,
  // Of the heap, after a file. V8 collects late where memory is plenty, so that workers would hold twice what they need.
  workerIdleMemoryLimit: '250MB',
  reporters: ['default', '<rootDir>/test/support/count-reporter.cjs'],
  projects: [
    // Pure functions and the configuration: `npm run test:domain` needs no services.
    { ...base, displayName: 'domain', testMatch: ['<rootDir>/test/{domain,config}/**/*.spec.ts'] },
    {
      ...base,
      displayName: 'services',
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(domain|config)/'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
