const { statSync } = require('node:fs');
const { Script, SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/*
 * Jest gives every spec file modules of its own. For a file that boots the application, it finds, reads and
 * compiles 3,300 of them, which takes longer than most tests. What comes of that is the same for every file,
 * so that a worker keeps it here. Each file still runs the modules in its own realm.
 */

/** By file: its version, its source map, and its code until that is compiled, then its script. */
const kept = new Map();

/** Of compiled files, by the mark that stands for their code. A script can run in any realm. */
const scripts = new Map();

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
    const parameters = this.executor.injectedModuleParameters.join(', ');
    keepTransformed(this.transformCache, parameters);
    keepCompiled(this.executor, environment, parameters);
  }
}

const isPackage = (file) => file.includes('/node_modules/');

/** Jest makes each module a `jest` of its own, an object of fifty functions. Packages do not use theirs. */
function spareJestObjects(globals) {
  const jestObjectFor = globals.jestObjectFor.bind(globals);
  globals.jestObjectFor = (file) => (isPackage(file) ? undefined : jestObjectFor(file));
}

/** The projects transform a file alike, so that what one has kept serves the others. */
function keepTransformed(cache, parameters) {
  const transform = cache.transform.bind(cache);
  cache.transform = (file, options) => {
    const key = keyOf(file, parameters, options?.isInternalModule);
    const version = versionOf(file);
    const known = kept.get(key);
    if (known?.version === version) {
      // By which a test's stack trace shows the lines of the source.
      if (known.sourceMap !== undefined) cache.getSourceMaps().set(file, known.sourceMap);
      return known.code;
    }
    scripts.delete(known?.code);
    const code = transform(file, options);
    // Jest's own store of the same, and of the source.
    cache.scriptTransformer._cache.transformedFiles.clear();
    kept.set(key, { version, code, sourceMap: cache.getSourceMaps().get(file) });
    return code;
  };
}

const keyOf = (file, parameters, internal = false) => `${internal} ${parameters} ${file}`;

/** Changes with the file, for `jest --watch`. Packages stay as they were installed. */
function versionOf(file) {
  if (isPackage(file)) return '';
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}

/**
 * The texts of all modules are a third of a worker's heap, and each script has a copy of its own. Once a
 * file's script is there, a mark takes the place of its code.
 */
function keepCompiled(executor, environment, parameters) {
  const compile = executor.compile.bind(executor);
  executor.compile = (code, file) => {
    const context = environment.getVmContext();
    const script = context && (scripts.get(code) ?? scriptOf(code, file, parameters));
    return script ? script.runInContext(context) : compile(code, file);
  };
}

/** `undefined` for what does not compile: Jest says why. */
function scriptOf(code, filename, parameters) {
  try {
    const script = new Script(`(function (${parameters}) {\n${code}\n})`, { filename, lineOffset: -1 });
    for (const internal of [false, true]) {
      const key = keyOf(filename, parameters, internal);
      const known = kept.get(key);
      if (known?.code !== code) continue;
      known.code = `/* ${known.version} ${key} */`;
      scripts.set(known.code, script);
    }
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
