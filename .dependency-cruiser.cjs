// Which folder may import which. `npm run lint` checks it, type-only imports included.

// Every folder of src/ that is not one of these is a feature; so is not cli/, which is a surface of all of
// them.
const INFRASTRUCTURE =
  'config|database|domain|fairness|http|idempotency|lists|loops|operations|queue|secrets|telemetry';
const FEATURE = `^src/(?!(?:${INFRASTRUCTURE}|cli)/)([^/]+)/`;
const FEATURE_OR_OPERATIONS = FEATURE.replace('operations|', '');

// Rooms in which others do a part of their work: what triggered calls and campaigns share.
const SHARED_ROOMS = 'dialing|suppression|results';

// What features show each other: their guards, modules and services, and these.
const PUBLIC_FACES = [
  '^src/audit/(?:audited[.]decorator|audited-change)[.]ts$',
  '[.](guard|module|service)[.]ts$',
  `^src/(?:${SHARED_ROOMS})/`,
  '^src/campaigns/engine/(suppress-enrollments|undo-enrollments|results-of-calls)[.]ts$',
  '^src/campaigns/enrollment/(first-look[.]sql|enroll-refusals|enter-again|campaign-warnings)[.]ts$',
  // What a paused campaign's people wait for, in every list of them.
  '^src/campaigns/definition/hold[.]ts$',
  '^src/contacts/(contact-batch|contact-removal|concurrent-external-ids)[.]ts$',
  // What an event shows is what the lists show.
  '^src/calls/records/(read[.]sql|call[.]schemas)[.]ts$',
  '^src/campaigns/enrollment/enroll[.]sql[.]ts$',
  '^src/contacts/sql/(merge|read)[.]sql[.]ts$',
  // What people can say about a call is on the buttons of its page.
  '^src/calls/records/(resolution|cancel-calls)[.]dto[.]ts$',
  // Forms of the dashboard are checked by the rules of the API's bodies.
  '^src/(campaigns/admin/campaign(-version)?|carrier-accounts/carrier-account|consents/consent|phone-numbers/(?:phone-number|number-pool)|teams/(api-key|team)|voice-agents/voice-agent)[.]dto[.]ts$',
  // What an import, an endpoint and a delivery show is on their pages.
  '^src/imports/(import-view|limits)[.]ts$',
  '^src/events/(event-types|webhooks/((?:webhook-endpoint|replay)[.]dto|delivery-filters))[.]ts$',
  '^src/carriers/(account-fields|agent-setting-field|bounded|callbacks|carrier|carrier-definition|carrier-registry|registry)[.]ts$',
  '^src/journal/journal-record[.]ts$',
  '^src/pacing/pacer[.]ts$',
  // Who a request is of, for every page.
  '^src/people/(email|people[.]dto|session-cookie|session-limits|viewer)[.]ts$',
  '^src/phone-numbers/team-number[.]ts$',
  // An erasure enlists the calls that are left at platforms.
  '^src/platform-erasures/enlist[.]sql[.]ts$',
  '^src/platform/unknown-zones[.]ts$',
  '^src/teams/(api-key|key-of-request|key-scope[.]decorator|keyed-request|keyed[.]decorator|known-keys|team-controller[.]decorator)[.]ts$',
  '^src/dashboard/design/document[.]tsx$',
  // What is said of its routes and shapes, for the API's document.
  '[.]openapi[.]ts$',
  '^src/voice-agents/calling-hours[.]schema[.]ts$',
];
// What is started, rather than imported.
const ENTRY = '^(src/(cli|main|worker|.*/[^/]+[.]thread)|tools/[^/]+)[.]ts$';
const ENTITY = '[.]entity[.]ts$';
// What a room hands up to the root: what it says of the personal data in its tables.
const PERSONAL_DATA = '^src/[^/]+/personal-data[.]ts$';

// The folders of src/calls, from the bottom up: each imports only those before it.
const CALLS_FOLDERS = ['fire', 'trigger', 'explain', 'records', 'reports', 'recovery'];
// The same of src/campaigns.
const CAMPAIGNS_FOLDERS = ['definition', 'enrollment', 'engine', 'admin', 'forecast', 'records'];
// The same of src/dashboard; pages may name each other.
const DASHBOARD_FLOORS = ['design', 'frame'];
const DIALING_FOLDERS = ['facts', 'outcome', 'concurrency-slots', 'claim'];

/** @param folders of the feature, from the bottom up. */
function importsDown(feature, folders) {
  return folders.slice(0, -1).map((folder, n) => ({
    name: `${feature}-${folder}-imports-down`,
    comment: `The folders of ${feature} import downwards only: ${[...folders].reverse().join(', ')}.`,
    severity: 'error',
    from: { path: `^src/${feature}/${folder}/` },
    to: { path: `^src/${feature}/(${folders.slice(n + 1).join('|')})/` },
  }));
}

const packages = (...names) => `(^|/)node_modules/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules that import each other can be neither read nor loaded on their own.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circles-of-folders',
      comment: 'Rooms that import each other are one room.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'campaigns-import-no-calls',
      comment: 'What triggered calls and calls of campaigns share is in dialing/.',
      severity: 'error',
      from: { path: '^src/campaigns/' },
      to: { path: '^src/calls/' },
    },
    {
      name: 'no-unresolvable-imports',
      comment: 'An import that cannot be found escapes every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-orphans',
      comment:
        'Nothing imports this, and it imports nothing. Entities and migrations are found by the names of their files.',
      severity: 'error',
      // Plain JavaScript is named by configuration and commands rather than imported.
      from: { orphan: true, pathNot: ['[.](d[.]ts|cjs)$', ENTITY, '^migrations/'] },
      to: {},
    },
    {
      name: 'no-dead-modules',
      comment: 'Neither a process nor a command reaches this: connect it, or delete it.',
      severity: 'error',
      from: { path: ENTRY },
      to: { path: '^src/', pathNot: [ENTRY, ENTITY], reachable: false },
    },
    {
      name: 'sdks-when-needed',
      comment:
        'A deployment without LiveKit does not pay for its SDK: it is loaded by import(), where it is used.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: packages('livekit-server-sdk'), dynamic: false },
    },
    {
      name: 'domain-is-pure',
      comment:
        'The rules are functions of (facts, now): no framework, no database, no queue, nothing of Node.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: {
        pathNot: [
          '^src/domain/',
          packages('date-fns', 'date-fns-tz', 'libphonenumber-js', 'moment-timezone/data'),
        ],
      },
    },
    {
      name: 'fairness-stands-alone',
      comment: 'Queues by key, shares and rests know nothing of what they schedule.',
      severity: 'error',
      from: { path: '^src/fairness/' },
      to: { pathNot: ['^src/fairness/', '^timers/promises$'] },
    },
    {
      name: 'batcher-is-closed',
      comment: 'The micro-batcher is one class, and its parts are not for others.',
      severity: 'error',
      from: { pathNot: ['^src/database/batcher/', '^test/database/batcher/'] },
      to: { path: '^src/database/batcher/', pathNot: '^src/database/batcher/batcher[.]ts$' },
    },
    {
      name: 'features-by-their-faces',
      comment:
        'A feature uses the guards, modules and services of another, and what is listed as its public face.',
      severity: 'error',
      from: { path: FEATURE_OR_OPERATIONS },
      to: { path: FEATURE, pathNot: ['^src/$1/', ...PUBLIC_FACES, ENTITY] },
    },
    {
      name: 'cli-by-operations',
      comment:
        'Commands send operations of the API. Those that no operation is for call services, as controllers do.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: {
        path: FEATURE,
        pathNot: [
          '[.](dto|module|service)[.]ts$',
          '^src/dialing/concurrency-slots/concurrency-slots[.]ts$',
          '^src/carriers/registry[.]ts$',
          '^src/calls/recovery/moving-calls[.]ts$',
          // The declarations of the operations, and the team of a dispatched request.
          '^src/openapi/api-document[.]ts$',
          '^src/audit/audited[.]decorator[.]ts$',
          '^src/teams/key-of-request[.]ts$',
          '^src/phone-numbers/team-number[.]ts$',
          // A room's declaration of its columns of sealed secrets.
          '/sealed-columns[.]ts$',
        ],
      },
    },
    {
      name: 'cli-stands-on-top',
      comment: 'It stands on the services, and nothing stands on it.',
      severity: 'error',
      from: { path: '^(src|migrations|tools)/', pathNot: '^(src/cli/|src/cli[.]ts$)' },
      to: { path: '^src/cli/' },
    },
    ...importsDown('calls', CALLS_FOLDERS),
    ...importsDown('campaigns', CAMPAIGNS_FOLDERS),
    ...DASHBOARD_FLOORS.map((folder, n) => ({
      name: `dashboard-${folder}-imports-down`,
      comment: 'Pages stand on the frame, and the frame on the design.',
      severity: 'error',
      from: { path: `^src/dashboard/${folder}/` },
      to: {
        path: '^src/dashboard/',
        pathNot: `^src/dashboard/(${DASHBOARD_FLOORS.slice(0, n + 1).join('|')})/`,
      },
    })),
    {
      name: 'dashboard-stands-on-top',
      comment: 'Pages ask features; no feature asks pages. The board shows its errors as pages do.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/dashboard/', '^src/api[.]module[.]ts$'] },
      to: { path: '^src/dashboard/', pathNot: '^src/dashboard/design/document[.]tsx$' },
    },
    {
      name: 'decisions-are-pure',
      comment: 'What a trigger and a firing come to is decided by facts alone.',
      severity: 'error',
      from: { path: '^src/(calls/trigger/access|dialing/claim/(decide|script))[.]ts$' },
      to: { pathNot: ['^src/domain/', '^src/dialing/claim/script[.]ts$'] },
    },
    {
      name: 'processes-compose-modules',
      comment:
        'The files that compose the processes import the modules and controllers of features, and the list of carriers.',
      severity: 'error',
      from: { path: '^src/[^/]+[.]ts$' },
      to: {
        path: FEATURE,
        pathNot: ['[.](module|controller)[.]ts$', '^src/carriers/registry[.]ts$', PERSONAL_DATA],
      },
    },
    {
      name: 'entities-stay-at-home',
      comment: 'Only its own feature queries an entity. Others may name the type that a service gave them.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: ENTITY,
        pathNot: ['^src/$1/', `^src/(?:${SHARED_ROOMS})/`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'infrastructure-imports-no-feature',
      comment: 'Features stand on it.',
      severity: 'error',
      from: { path: '^src/(config|database|http|idempotency|lists|loops|queue|telemetry)/' },
      to: { path: [FEATURE, '^src/operations/'] },
    },
    {
      name: 'database-imports-no-http',
      comment:
        'The worker uses the database without HTTP. What needs both, such as pages of a list, is in src/lists.',
      severity: 'error',
      from: { path: '^src/database/' },
      to: { path: '^src/(http|lists)/' },
    },
    {
      name: 'lists-above-http',
      comment: 'Lists use HTTP and the database; neither uses them.',
      severity: 'error',
      from: { path: '^src/(config|http|telemetry)/' },
      to: { path: '^src/lists/' },
    },
    {
      name: 'telemetry-imports-no-http',
      comment: 'Every process logs, with HTTP or without it.',
      severity: 'error',
      from: { path: '^src/telemetry/' },
      to: { path: '^src/http/' },
    },
    {
      name: 'personal-data-by-the-root',
      comment:
        'The register of tables with personal data is composed in one place, of lists that name types alone from below.',
      severity: 'error',
      from: { pathNot: '^src/personal-data[.]ts$' },
      to: { path: PERSONAL_DATA, pathNot: '^src/database/' },
    },
    {
      name: 'config-stands-alone',
      comment: 'It is read before anything else exists.',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^(src|migrations)/', pathNot: '^src/config/' },
    },
    {
      name: 'carriers-import-no-calls',
      comment:
        'A carrier dials what it is told, and hands its reports to a port. It reaches neither tables nor queue.',
      severity: 'error',
      from: { path: '^src/carriers/' },
      to: { path: '^src/', pathNot: '^src/(carriers|config|domain|fairness|http|telemetry)/' },
    },
    {
      name: 'carrier-folders-are-closed',
      comment:
        'Other folders use a carrier by its definition in the registry, and import nothing else of its folder.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/carriers/[^/]+/', '^src/carriers/registry[.]ts$'] },
      to: { path: '^src/carriers/[^/]+/' },
    },
    {
      name: 'carriers-import-no-other',
      comment:
        'See carrier-folders-are-closed. The process of the simulator plays a runtime of the HTTP carrier, so it speaks its protocol.',
      severity: 'error',
      from: { path: '^src/carriers/([^/]+)/', pathNot: '^src/carriers/simulator/simulator-server[.]ts$' },
      to: { path: '^src/carriers/[^/]+/', pathNot: '^src/carriers/$1/' },
    },
    {
      name: 'carriers-without-nest',
      comment:
        'Loading the configuration loads every carrier, also in commands and tests that need nothing of Nest.',
      severity: 'error',
      from: { path: '^src/carriers/[^/]+/' },
      to: { path: packages('@nestjs') },
    },
    {
      name: 'bullmq-behind-the-queue',
      comment:
        'Services add wake-ups through src/queue; only processors and the operators’ board see BullMQ itself.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/(queue|operations)/',
          '^src/calls/fire/[^/]+[.]processor[.]ts$',
          '^src/events/webhooks/delivery/[^/]+[.]processor[.]ts$',
          '^src/calls/firing[.]module[.]ts$',
        ],
      },
      to: { path: packages('bullmq', '@nestjs/bullmq') },
    },
    {
      name: 'bull-board-in-operations',
      comment: 'Bull Board is a page of the operators and nothing else.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/operations/' },
      to: { path: packages('@bull-board/[^/]+') },
    },
    {
      name: 'redis-behind-the-queue',
      comment: 'Redis may be lost at any time: it holds wake-ups, which Postgres can rebuild, and rates.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(queue|operations|pacing|rate-limit)/' },
      to: { path: packages('ioredis'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pg-behind-the-database',
      comment: 'Every connection is limited in time; src/database sees to that.',
      severity: 'error',
      // The exception recognizes a refused statement by the class of its error.
      from: { path: '^src/', pathNot: ['^src/database/', '^src/contacts/contacts[.]service[.]ts$'] },
      to: { path: packages('pg', 'pg-[^/]+'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'worker-has-no-controller',
      comment:
        'The worker serves probes on a bare listener. Controllers belong into modules of the API alone.',
      severity: 'error',
      from: { path: '^src/worker[.]ts$' },
      to: { path: '[.]controller[.]ts$', reachable: true },
    },
    {
      name: 'api-does-not-dial',
      comment: 'Only the worker takes wake-ups off the queue.',
      severity: 'error',
      from: { path: '^src/main[.]ts$' },
      to: { path: ['[.]processor[.]ts$', '^src/calls/firing[.]'], reachable: true },
    },
    {
      name: 'src-imports-no-tools',
      comment: 'Tools start and examine the service; it does not need them.',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^tools/' },
    },
    {
      name: 'sdk-stands-alone',
      comment:
        'The client is a package of its own without dependencies: it knows the service by generated types.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { pathNot: '^sdk/src/' },
    },
    {
      name: 'sdk-is-for-clients',
      comment: 'The service does not call itself over HTTP.',
      severity: 'error',
      from: { path: '^(src|migrations|tools)/' },
      to: { path: '^sdk/' },
    },
    {
      name: 'only-tests-import-tests',
      comment: 'What tests share is not for the service.',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'migrations-stand-alone',
      comment:
        'A migration describes one moment and must not change with the code, except the repeatable functions.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^(src|migrations)/', pathNot: '^src/database/repeatable[.]ts$' },
    },
    {
      name: 'services-stand-alone',
      comment: '`npm run services` works while the rest does not compile (tools/bootstrap.cjs).',
      severity: 'error',
      from: { path: '^tools/services([.]ts$|/)' },
      to: { path: '^(src|migrations|tools)/', pathNot: '^tools/services/' },
    },
    {
      name: 'no-dev-dependencies-in-production',
      comment: '`npm ci --omit=dev` must suffice to run the service; types are gone by then.',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Browsers load it.
    exclude: { path: '^src/openapi/page/script[.]js$' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types tie modules together as well; without this they would not be seen at all.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
