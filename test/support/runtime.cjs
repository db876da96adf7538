const { statSync } = require('node:fs');
const { Script, SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/*
 * Jest gives every spec file modules of its own. For a file that boots the application, it finds, reads and
 * compiles 3,300 of them, which takes longer than most tests. What comes of that is the same for every file,
 * so that a worker keeps it here; each file still runs the modules in its own realm.
 */

/** Code as Jest's transformers made it, by project and file. */
const transformed = new Map();

/** Compiled modules by file. A script can run in any realm. */
const compiled = new Map();

/** By Jest's own resolvers, of which each project has one. */
const resolvers = new WeakMap();

class WarmRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, sources, coverage, ...rest) {
    // Jest itself handles ECMAScript modules and instrumented code.
    const warm = SyntheticModule === undefined && !coverage.collectCoverage;
    super(
      config,
      environment,
      warm ? remembering(resolver) : resolver,
      transformer,
      sources,
      coverage,
      ...rest,
    );
    if (!warm) return;
    spareJestObjects(this.jestGlobals);
    keepTransformed(this.transformCache, config.id);
    keepCompiled(this.executor, environment);
  }
}

const isPackage = (file) => file.includes('/node_modules/');

/** Jest makes each module a `jest` of its own, an object of fifty functions. Packages do not use theirs. */
function spareJestObjects(globals) {
  const jestObjectFor = globals.jestObjectFor.bind(globals);
  globals.jestObjectFor = (file) => (isPackage(file) ? undefined : jestObjectFor(file));
}

function keepTransformed(cache, project) {
  const transform = cache.transform.bind(cache);
  cache.transform = (file, options) => {
    const key = `${project} ${options?.isInternalModule === true} ${file}`;
    const version = versionOf(file);
    const known = transformed.get(key);
    if (known?.version === version) {
      // By which a test's stack trace shows the lines of the source.
      if (known.sourceMap !== undefined) cache.getSourceMaps().set(file, known.sourceMap);
      return known.code;
    }
    const code = transform(file, options);
    transformed.set(key, { version, code, sourceMap: cache.getSourceMaps().get(file) });
    return code;
  };
}

/** Changes with the file, for `jest --watch`. Packages stay as they were installed. */
function versionOf(file) {
  if (isPackage(file)) return '';
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}

function keepCompiled(executor, environment) {
  const compile = executor.compile.bind(executor);
  const parameters = executor.injectedModuleParameters.join(', ');
  executor.compile = (code, file) => {
    const context = environment.getVmContext();
    const script = context && scriptOf(code, file, parameters);
    return script ? script.runInContext(context) : compile(code, file);
  };
}

/** `undefined` for what does not compile: Jest says why. */
function scriptOf(code, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.code === code && known.parameters === parameters) return known.script;
  try {
    const script = new Script(`(function (${parameters}) {\n${code}\n})`, { filename, lineOffset: -1 });
    compiled.set(filename, { code, parameters, script });
    return script;
  } catch {
    return undefined;
  }
}

function remembering(resolver) {
  if (!resolvers.has(resolver)) {
    const quick = Object.create(resolver);
    for (const method of ['resolveModule', 'getMockModule']) quick[method] = remember(resolver, method);
    resolvers.set(resolver, quick);
  }
  return resolvers.get(resolver);
}

/** The resolver's method, which asks once for each pair of files. What is not found, it asks again. */
function remember(resolver, method) {
  const answers = new Map();
  return (from, name, options) => {
    const own = answers.get(from) ?? new Map();
    answers.set(from, own);
    if (!own.has(name)) own.set(name, resolver[method](from, name, options));
    return own.get(name);
  };
}

module.exports = { __esModule: true, default: WarmRuntime };
