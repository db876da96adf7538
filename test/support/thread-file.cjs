const { join } = require('node:path');

// In place of src/campaigns/forecast/thread-file.ts: the thread compiles what it loads.
exports.THREAD_FILE = join(__dirname, 'compiled-thread.cjs');
