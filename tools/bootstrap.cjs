// Plain JavaScript, because it runs before there is a build: `node tools/bootstrap.cjs <tool> [arguments]`
// brings `dist/` up to date and continues with `dist/tools/<tool>.js`.
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const stamp = path.join(root, 'dist', '.sources');
const lock = path.join(root, 'node_modules', '.outdial-build');
const SOURCES = ['src', 'migrations', 'tools', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'];
const LOCK_STALE_MS = 120_000;

function filesBelow(file) {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [`${file} ${found.mtimeMs} ${found.size}`];
  return fs.readdirSync(file).flatMap((name) => filesBelow(path.join(file, name)));
}

function fingerprint() {
  const files = SOURCES.flatMap((name) => filesBelow(path.join(root, name)));
  return createHash('sha256').update(files.sort().join('\n')).digest('hex');
}

function isFresh() {
  try {
    return fs.readFileSync(stamp, 'utf8') === fingerprint();
  } catch {
    return false;
  }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Two commands started at once must not build into the same directory. */
function underLock(work) {
  for (;;) {
    try {
      fs.mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const age = Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > LOCK_STALE_MS) fs.rmSync(lock, { recursive: true, force: true });
      sleep(100);
    }
  }
  try {
    return work();
  } finally {
    fs.rmSync(lock, { recursive: true, force: true });
  }
}

function buildIfNeeded() {
  if (isFresh()) return;
  const nest = path.join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  if (!fs.existsSync(nest)) {
    if (fs.existsSync(path.join(root, 'dist', 'src', 'main.js'))) return;
    console.error(
      'Nothing is built, and the compiler is not installed: run `npm ci` with development dependencies.',
    );
    process.exit(1);
  }
  underLock(() => {
    if (isFresh()) return;
    // Taken before the build: what changes meanwhile counts as changed.
    const sources = fingerprint();
    console.error('Building …');
    const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
    if (status === 0) fs.writeFileSync(stamp, sources);
    else process.exitCode = status ?? 1;
  });
  if (process.exitCode) process.exit();
}

const [tool, ...rest] = process.argv.slice(2);
buildIfNeeded();
if (tool) {
  const entry = path.join(root, 'dist', 'tools', `${tool}.js`);
  process.argv = [process.argv[0], entry, ...rest];
  require(entry);
}
