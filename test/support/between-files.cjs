const { AsyncLocalStorage } = require('node:async_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

/**
 * Bytes of the heap from which a file's garbage is collected at its end. Jest replaces a worker whose heap is
 * above `workerIdleMemoryLimit`, garbage included, and the next one has to compile everything again.
 */
const COLLECT_FROM = 210_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const storages = new Set();
const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

/** Releases what a file that has ended would leave to the files after it in the same worker. */
exports.release = () => {
  // Jest runs a file's tests in a storage of the file's own. Until that is disabled, Node keeps it, and
  // copies its value to every promise of the worker.
  for (const storage of storages) storage.disable();
  storages.clear();
  if (process.memoryUsage().heapUsed > COLLECT_FROM) collectGarbage();
};
