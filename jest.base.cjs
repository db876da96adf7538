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
];

// Inherited by the workers: every test judges time as the deployed processes do.
process.env.TZ = 'UTC';

/** What every Jest configuration here has in common; it starts no services. */
module.exports = {
  testEnvironment: 'node',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Other builds, kept for comparisons.
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testTimeout: 30_000,
};
