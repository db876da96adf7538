import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

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
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the properties or elements themselves.',
        },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
      ],
    },
  },
  { files: ['src/config/**', 'tools/**', 'test/**'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['tools/**'], rules: { 'no-console': 'off' } },
);
