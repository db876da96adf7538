// Nest 12 and a few of its dependencies are ESM only; Jest on Node 20 needs them compiled to CommonJS.
const esmOnly = [
  '@nestjs',
  'file-type',
  '@tokenizer',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@borewit',
  'load-esm',
  'es-toolkit',
  'preact',
  'openid-client',
  'oauth4webapi',
  'jose',
];

// Inherited by the workers: every test compares times as the deployed processes do.
process.env.TZ = 'UTC';

/**
 * @param {boolean} tsx whether the file may hold JSX; in plain TypeScript `<` also begins type parameters.
 */
const compiled = (tsx) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
      target: 'es2023',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** What every Jest configuration here has in common; it starts no services. */
module.exports = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  runtime: '<rootDir>/test/support/runtime.cjs',
  // A file's code looks up each global in its realm, which takes as long as a small function. These become
  // parameters of each module. Fake timers of Jest replace others, such as `Date`, which stay in the realm.
  sandboxInjectedGlobals: [
    'Math',
    'Object',
    'Array',
    'Number',
    'String',
    'JSON',
    'Map',
    'Set',
    'Symbol',
    'BigInt',
    'Error',
    'Promise',
    'Reflect',
    'RegExp',
  ],
  moduleNameMapper: {
    // Node itself starts a thread, which knows no TypeScript.
    '^\\./thread-file\\.js$': '<rootDir>/test/support/thread-file.cjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // date-fns-tz imports 300 modules for this function of date-fns. Most files would load them.
    '^date-fns$': 'date-fns/getDefaultOptions',
  },
  transform: {
    '\\.[cm]?[jt]s$': compiled(false),
    '\\.tsx$': compiled(true),
  },
  // Other builds, kept for comparisons.
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  // For a busy machine: what a test awaits has bounds of its own.
  testTimeout: 240_000,
};
