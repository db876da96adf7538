import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const SPREAD_LITERAL = {
  selector:
    'SpreadElement > :matches(ObjectExpression, ArrayExpression, TSAsExpression > ObjectExpression, TSAsExpression > ArrayExpression)',
  message: 'Write the properties or elements themselves.',
};

// `src/domain/zones` knows the offsets. The zone data of Node are as old as its binary, and differ between
// releases; date-fns-tz uses them where it is given a zone by its name.
const NODES_CLOCK = [
  {
    selector: 'MemberExpression[object.name="Intl"][property.name=/^(DateTimeFormat|supportedValuesOf)$/]',
    message: 'Offsets and names of zones come from src/domain/zones.',
  },
  {
    selector: 'CallExpression[callee.property.name=/^toLocale/] Property[key.name="timeZone"]',
    message: 'Local times come from src/domain/zones/local-time.ts.',
  },
];
const DATE_FNS_TZ = {
  paths: [
    {
      name: 'date-fns-tz',
      message: 'Local times come from src/domain/zones/local-time.ts, which gives it an offset, not a name.',
    },
  ],
};

export default tseslint.config(
  // The script of the documentation's pages runs in browsers, whose types nothing here knows.
  {
    ignores: [
      '**/dist/',
      'sdk/src/generated/',
      'coverage/',
      '.data/',
      '**/*.cjs',
      '**/*.mjs',
      'src/openapi/page/script.js',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { disallowTypeAnnotations: false, fixStyle: 'inline-type-imports' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Nest modules are empty decorated classes.
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-console': 'error',
      'no-restricted-syntax': ['error', SPREAD_LITERAL, ...NODES_CLOCK],
      'no-restricted-imports': ['error', DATE_FNS_TZ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
      ],
    },
  },
  { files: ['src/config/**', 'tools/**', 'test/**'], rules: { 'no-restricted-properties': 'off' } },
  // Their second source is Node's zone data.
  { files: ['test/**'], rules: { 'no-restricted-syntax': ['error', SPREAD_LITERAL] } },
  { files: ['src/domain/zones/local-time.ts'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['tools/**'], rules: { 'no-console': 'off' } },
);
