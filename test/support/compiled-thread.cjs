// The entry of threads in tests: loads the TypeScript of the forecast's thread as Jest does, without Jest.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');
require('./typescript-imports.cjs');

const OPTIONS = {
  configFile: false,
  swcrc: false,
  jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2023' },
  module: { type: 'commonjs' },
};

Module._extensions['.ts'] = (module, file) =>
  module._compile(transformSync(readFileSync(file, 'utf8'), { ...OPTIONS, filename: file }).code, file);

require('../../src/campaigns/forecast/forecast.thread.ts');
