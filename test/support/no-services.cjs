// A fast test must not find the services that `npm test` started for others: it would pass there and fail
// without them.
for (const name of Object.keys(process.env)) if (name.startsWith('TEST_')) delete process.env[name];
