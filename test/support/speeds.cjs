const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { dirname, join, relative, resolve } = require('node:path');

/*
 * A spec file is fast unless its imports reach one of these modules. They start services, programs or a
 * compiler, hand out services that the run started, or load more than a thousand modules, as the API does.
 * `jest.config.cjs` makes its projects `fast` and `services` of that, so that a new spec file is in the right
 * one by what it imports.
 */
const SERVICE_SUPPORT = [
  'src/calls/records/calls.openapi.ts',
  'src/http/openapi/document.ts',
  'src/openapi/api-document.ts',
  'test/carriers/twilio/prism-twilio.ts',
  'test/docs/support/client-workspace.ts',
  'test/docs/support/extended-copy.ts',
  'test/support/app.ts',
  'test/support/database.ts',
  'test/support/pgbouncer.ts',
  'test/support/processes.ts',
  'test/support/redis-cluster.ts',
  'test/support/redis.ts',
  'test/support/type-check.ts',
  'tools/faults/private-postgres.ts',
  'tools/faults/private-redis.ts',
  'tools/faults/program.ts',
  'tools/proxy/nginx.ts',
  'tools/sdk/generated-files.ts',
  'tools/services/ensure.ts',
  'tools/stack/processes.ts',
];

/*
 * Files that take about half a minute or more. They are in `slow`, which `npm run test:slow` runs. The short run of
 * the fault harness takes two minutes, but stays in `services`: it proves what matters most.
 */
const SLOW = [
  'test/deployment/image.spec.ts',
  'test/docs/extending.spec.ts',
  'test/fuzz/fuzz.spec.ts',
  'test/deployment/pgbouncer.spec.ts',
  'test/imports/crashes.spec.ts',
  'test/docs/guides.spec.ts',
  'test/operations/health.spec.ts',
  'test/openapi/truth.spec.ts',
  'test/sdk/package.spec.ts',
  'test/deployment/lifecycle.spec.ts',
  'test/cli/process.spec.ts',
  'test/deployment/api-shutdown.spec.ts',
  'test/deployment/proxy.spec.ts',
  'test/docs/operation-examples.spec.ts',
  'test/imports/database-crash.spec.ts',
  'test/calls/retention-decisions.spec.ts',
  'test/http/hostile-bodies.spec.ts',
  'test/deployment/old-postgres.spec.ts',
  'test/events/webhooks/recovery.spec.ts',
  'test/tools/dev.spec.ts',
];

/*
 * The order in which a run begins, whatever Jest knows of earlier runs. The files of `services` and `slow` are
 * those that take long for their size. On a new clone, Jest would sort them by size, so that one worker would
 * run one of them when all others have ended. Of `fast`, the list has the files that take long and the
 * files that mostly wait for timeouts. The waiting files are spread over the run, because a core is idle while
 * several of them wait. The short files come last, so that the workers end at almost the same time.
 */
const FIRST = [
  ...SLOW,
  'test/faults/faults.spec.ts',
  'test/openapi/docs-browser.spec.ts',
  'test/carriers/twilio/twilio-openapi.spec.ts',
  'test/carriers/remote-simulator.spec.ts',
  'test/http/validation.spec.ts',
  'test/domain/calling-hours.spec.ts',
  'test/domain/campaigns/forecast-properties.spec.ts',
  'test/http/resolve-by-dns.spec.ts',
  'test/config/config.spec.ts',
  'test/domain/call-decision-properties.spec.ts',
  'test/domain/campaigns/decide-properties.spec.ts',
  'test/domain/campaigns/duration.spec.ts',
  'test/carriers/send-once.spec.ts',
  'test/carriers/twilio/twiml.spec.ts',
  'test/http/json-values.spec.ts',
  'test/carriers/livekit/livekit-dials.spec.ts',
  'test/carriers/simulator-carrier.spec.ts',
  'test/domain/expiry.spec.ts',
  'test/domain/zones/time-zone.spec.ts',
  'test/domain/guardrails-properties.spec.ts',
  'test/domain/phone-number.spec.ts',
  'test/carriers/twilio/place-call.spec.ts',
  'test/faults/carriers.spec.ts',
  'test/http/express-server.spec.ts',
  'test/carriers/http-conformance.spec.ts',
  'test/operations/dashboards.spec.ts',
  'test/domain/template-properties.spec.ts',
  'test/faults/webhooks-checker.spec.ts',
  'test/config/secrets.spec.ts',
  'test/carriers/livekit-conformance.spec.ts',
  'test/sdk/uploads.spec.ts',
  'test/carriers/simulator-conformance.spec.ts',
  'test/http/schedule-requests.spec.ts',
  'test/domain/known-fields.spec.ts',
  'test/config/file-variables.spec.ts',
  'test/carriers/twilio-conformance.spec.ts',
  'test/domain/phone-number-refusals.spec.ts',
  'test/http/json-body.spec.ts',
  'test/docs/plain-words.spec.ts',
  'test/deployment/compose.spec.ts',
  'test/database/batcher/batcher.spec.ts',
  'test/sdk/retries.spec.ts',
  'test/http/unread-body.spec.ts',
  'test/telemetry/logger.spec.ts',
  'test/carriers/http-carrier.spec.ts',
  'test/events/webhooks/poster.spec.ts',
  'test/database/batcher/awaited-batch.spec.ts',
  'test/carriers/twilio/find-call.spec.ts',
];

/** Files of tests and tools alone are followed: `src/` imports neither. */
const FOLLOWED = ['test/', 'tools/'];

const STATEMENT =
  /^(?:import|export)\s+(?:([\w*{][^;']*?)\s+from\s+)?'(\.{1,2}\/[^']+)'|\bimport\('(\.{1,2}\/[^']+)'\)/gm;

/**
 * @param {string} root of the repository.
 * @returns {{ fast: string[], services: string[], slow: string[] }} every spec file, by its path from the root.
 */
function specsBySpeed(root) {
  const imports = new Map();
  const importsOf = (file) => {
    if (!imports.has(file)) imports.set(file, readImports(root, file));
    return imports.get(file);
  };
  const fast = [];
  const services = [];
  const slow = [];
  for (const spec of specFiles(root)) {
    if (SLOW.includes(spec)) slow.push(spec);
    else if (reaches(spec, importsOf)) services.push(spec);
    else fast.push(spec);
  }
  return { fast, services, slow };
}

function reaches(spec, importsOf) {
  const seen = new Set([spec]);
  for (const file of seen) {
    if (SERVICE_SUPPORT.includes(file)) return true;
    for (const imported of importsOf(file)) seen.add(imported);
  }
  return false;
}

function readImports(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(STATEMENT)]
    .filter(([, names]) => !isTypeOnly(names))
    .map(([, , from, dynamic]) => relative(root, resolve(root, dirname(file), from ?? dynamic)))
    .map((path) => path.replace(/\.js$/, '.ts'))
    .filter((path) => SERVICE_SUPPORT.includes(path) || FOLLOWED.some((folder) => path.startsWith(folder)))
    .filter((path) => path.endsWith('.ts') && existsSync(join(root, path)));
}

/** Such an import is gone when the file runs. */
function isTypeOnly(names = '') {
  if (names.startsWith('type ')) return true;
  const named = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  if (named === undefined) return false;
  return named.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

function specFiles(root, folder = 'test') {
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(join(root, path)).isDirectory()) return specFiles(root, path);
      return name.endsWith('.spec.ts') ? [path] : [];
    });
}

module.exports = { SERVICE_SUPPORT, SLOW, FIRST, specsBySpeed };
