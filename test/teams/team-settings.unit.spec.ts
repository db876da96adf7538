import 'reflect-metadata';
import { getMetadataArgsStorage } from 'typeorm';
import { TEAM_SETTINGS, UNRESTRICTED_TEAM } from '../../src/domain/team-settings.js';
import { declaredFields } from '../../src/http/validation.js';
import { CreateTeam, UpdateTeam } from '../../src/teams/team.dto.js';
import { Team } from '../../src/teams/team.entity.js';
import { filesBelow, read } from '../support/repository.js';

const NAMES = TEAM_SETTINGS.map(({ name }) => name);

/** Settings that the platform or a campaign has, too, under the same name. */
const SHARED = new Set(['maxConcurrentCalls', 'callRetentionDays', 'eventRetentionDays']);

/** Names that cannot mean anything but a setting of a team: `name` and `paused` are words of other things, too. */
const OWN_WORDS = TEAM_SETTINGS.flatMap(({ name, column }) =>
  SHARED.has(name) ? [] : [name, column],
).filter((name) => /[A-Z_]/.test(name));

/** The files that declare the settings. Examples of requests are texts for people. */
const DECLARING = ['src/domain/team-settings.ts', 'src/teams/team.dto.ts', 'src/teams/team.entity.ts'];
const TEXTS = ['src/openapi/examples/'];

/**
 * A property of a type, or what gives a setting a schema, a rule or a description. A parameter, and a value that is
 * passed on, such as `row.default_country`, declare nothing.
 */
const NAME = `(${OWN_WORDS.join('|')})`;
const DECLARED = new RegExp(
  `^ +${NAME}\\??: (?:readonly|string|number|boolean)[^,(\\n]*;|\\b${NAME}: *(?:['"\`{]|\\w+\\()`,
  'gm',
);

/** The types of what other rooms' statements select. */
const SELECTED = [
  'src/calls/trigger/trigger.sql.ts: accept_unknown_ranges',
  'src/calls/trigger/trigger.sql.ts: default_country',
  'src/campaigns/engine/facts.sql.ts: retry_within_redial_window',
  'src/campaigns/forecast/forecast.sql.ts: retry_within_redial_window',
  'src/dashboard/numbers/number.view.tsx: whitelist_only',
  'src/dashboard/numbers/whitelist.view.tsx: whitelistOnly',
  'src/dialing/claim/claim.ts: monthly_call_limit',
  'src/domain/campaigns/decide/facts.ts: retryWithinRedialWindow',
  'src/imports/sql/work.sql.ts: accept_unknown_ranges',
  'src/imports/sql/work.sql.ts: default_country',
];

test('the validated bodies and the columns are those of the list', () => {
  expect(declaredFields(CreateTeam)).toEqual(NAMES);
  expect([...declaredFields(UpdateTeam)].sort()).toEqual([...NAMES].sort());
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === Team);
  const named = columns.map(({ propertyName, options }) => `${propertyName} ${options.name}`);
  const listed = TEAM_SETTINGS.map(({ name, column }) => `${name} ${column}`);
  const own = ['id', 'hasErasedNumbers', 'hasLimitedDoNotCall', 'pausedByKey', 'createdAt'].map(
    (name) => `${name} undefined`,
  );
  expect(named.sort()).toEqual([...listed, ...own].sort());
});

test('a new team is restricted by nothing', () => {
  const flagsAndLimits = new Set<unknown>(Object.values(UNRESTRICTED_TEAM));
  expect(flagsAndLimits).toEqual(new Set([null, false]));
});

test('no other file of src/ declares a setting', () => {
  const declaring = filesBelow('src').flatMap((path) => {
    if (DECLARING.includes(path) || TEXTS.some((folder) => path.startsWith(folder))) return [];
    const names = new Set([...read(path).matchAll(DECLARED)].map(([, typed, given]) => typed ?? given));
    return [...names].map((name) => `${path}: ${name}`);
  });
  expect(declaring.sort()).toEqual(SELECTED);
});
