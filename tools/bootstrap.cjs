// Plain JavaScript, because it runs before there is a build. `node tools/bootstrap.cjs <entry> [arguments]`
// brings `dist/` up to date and goes on with `dist/<entry>.js`. In production it never builds, because that
// would remove the files of the processes that run. Without an entry it only builds. With `build` and the
// arguments of `nest build` it builds in any case (`npm run build`).
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.sources');
const lock = path.join(root, 'node_modules', '.outdial-build');
const SOURCES = [
  'src',
  'migrations',
  'packs',
  'tools',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
// Without types, which `npm run build` and editors check: that is most of a compiler's work.
const CONFIG = path.join('tools', 'tsconfig.unchecked.json');
// Needs nothing of `src/`, so that services can be had while that does not compile.
const STANDALONE = 'tools/services';

function filesBelow(file) {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [{ file, mtimeMs: found.mtimeMs, size: found.size }];
  return fs.readdirSync(file).flatMap((name) => filesBelow(path.join(file, name)));
}

function fingerprint() {
  const files = SOURCES.flatMap((name) => filesBelow(path.join(root, name)));
  const lines = files.map(({ file, mtimeMs, size }) => `${path.relative(root, file)} ${mtimeMs} ${size}`);
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

function isFresh() {
  try {
    return fs.readFileSync(stamp, 'utf8') === fingerprint();
  } catch {
    return false;
  }
}

function isStandaloneFresh() {
  const sources = [`${STANDALONE}.ts`, STANDALONE].flatMap((name) => filesBelow(path.join(root, name)));
  return sources.every(({ file, mtimeMs }) => {
    const compiled = path.join(dist, path.relative(root, file)).replace(/\.ts$/, '.js');
    return (fs.statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0) > mtimeMs;
  });
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two commands started at once must not build into the same directory. */
function underLock(work) {
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    sleep(100);
    const holder = Number(fs.existsSync(lock) ? fs.readFileSync(lock, 'utf8') : 0);
    if (holder && !isAlive(holder)) fs.rmSync(lock, { force: true });
  }
  try {
    return work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

const nest = path.join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

function isBuilt() {
  return fs.existsSync(path.join(dist, 'src', 'main.js'));
}

/** Gives the exit code of the build, 0 if none was needed. */
function build() {
  if (!fs.existsSync(nest)) {
    // An installation without development dependencies runs what was built before they were removed.
    if (isBuilt()) return 0;
    console.error(
      'Nothing is built and the compiler is missing: run `npm ci` with development dependencies.',
    );
    return 1;
  }
  return underLock(() => {
    if (isFresh()) return 0;
    console.error('Building …');
    return compile(['--path', CONFIG]);
  });
}

/** Builds and stamps the build, so that it is not made again. Gives the exit code. */
function compile(options) {
  // Taken before the build: what changes meanwhile counts as changed.
  const sources = fingerprint();
  const command = [nest, 'build', ...options];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) fs.writeFileSync(stamp, sources);
  return status ?? 1;
}

/** Gives the exit code: whether there is a build to start, be it of other sources. */
function useBuild() {
  if (!isBuilt()) {
    console.error('Nothing is built, and NODE_ENV=production builds nothing: run `npm run build`.');
    return 1;
  }
  if (fs.existsSync(nest) && !isFresh())
    console.error('The sources have changed since the build, which is used: run `npm run build`.');
  return 0;
}

function main([entry, ...rest]) {
  if (entry === 'build') process.exit(underLock(() => compile(rest)));
  if (entry && fs.existsSync(path.join(root, '.env'))) process.loadEnvFile(path.join(root, '.env'));
  const standalone = entry === STANDALONE;
  const fresh = standalone ? isStandaloneFresh() : isFresh();
  const code = entry && process.env.NODE_ENV === 'production' ? useBuild() : fresh ? 0 : build();
  if (code !== 0 && !(standalone && isStandaloneFresh())) process.exit(code);
  if (!entry) return;
  process.env.TZ = 'UTC';
  const file = path.join(dist, `${entry}.js`);
  process.argv = [process.argv[0], file, ...rest];
  require(file);
}

main(process.argv.slice(2));
