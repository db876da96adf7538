// Preloaded into the API's process, which knows nothing of it: answers with what its heap holds after a
// collection.
process.on('message', () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
// A test that waits for nothing else must not keep the process from stopping.
process.channel.unref();
