// Jest compiles its global setup but resolves what that imports with Node's own rules, which know no
// TypeScript. There, `./x.js` has to find `./x.ts` as the module name mapper does for tests.
const Module = require('node:module');

const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  try {
    return resolve.call(this, request, ...rest);
  } catch (error) {
    if (!/^\.{1,2}\/.*\.js$/.test(request)) throw error;
    return resolve.call(this, request.replace(/\.js$/, '.ts'), ...rest);
  }
};
