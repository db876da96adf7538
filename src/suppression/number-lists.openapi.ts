import { PURPOSES } from '../domain/compliance/pack.js';
import { SUPPRESSION_SCOPES, SUPPRESSION_SOURCES } from '../domain/limited-entry.js';
import { describeBody, NATIONAL_FORM } from '../http/body-schema.js';
import {
  COUNT_SCHEMA,
  described,
  E164_SCHEMA,
  INSTANT_SCHEMA,
  listOf,
  nullable,
  objectOf,
  oneOf,
  STORED_NUMBER_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { documented, pageOfItems } from '../http/openapi/operation.js';
import { type ListedNumber, type RejectedNumber } from '../phone-numbers/team-number.js';
import { DoNotCallController } from './do-not-call.controller.js';
import { DoNotCallAdminController } from './do-not-call-admin.controller.js';
import { TEAM_SCOPES } from './entry-limits.js';
import {
  type Added,
  type AddedToDoNotCall,
  AddToDoNotCall,
  AddToPlatformDoNotCall,
  AddToWhitelist,
  type DoNotCallResource,
  type LimitedDoNotCallResource,
  type SuppressionEntryResource,
  type WhitelistResource,
} from './number-lists.dto.js';
import { PlatformDoNotCallAdminController } from './platform-do-not-call-admin.controller.js';
import { WhitelistAdminController } from './whitelist-admin.controller.js';

const phoneNumbers = {
  description: `The numbers, preferably in E.164. ${NATIONAL_FORM}`,
  examples: [['+14155552671']],
};

describeBody([AddToDoNotCall], {
  phoneNumbers: {
    description:
      'The numbers, preferably in E.164. Extensions, other columns of a row, and words around a number are ignored. An item that can be read as several numbers stands for all of them. Numbers of any type are accepted.',
    examples: [['+14155552671']],
  },
  reason: {
    description:
      'The reason, which is shown with the entry. A number that is already on the list keeps its reason.',
    examples: ['asked us in writing'],
  },
  scope: {
    description:
      'Which calls the entries forbid: all of the team (`team`, which is also the default), those of the campaign `campaignId` (`campaign`), or those of the agent `agentId` (`agent`).',
    examples: ['team'],
  },
  campaignId: 'The campaign. It is needed with the scope `campaign`, and refused with another one.',
  agentId: 'The agent. It is needed with the scope `agent`, and refused with another one.',
  purpose:
    'The purpose of the calls that the entries forbid. If the team does not have `doNotCallByPurpose`, the entries forbid calls for any purpose, and only tell this one.',
  effectiveFrom: 'From when the entries hold. By default, from now.',
  expiresAt: 'Until when the entries hold. By default, without end.',
});
describeBody([AddToPlatformDoNotCall], {
  phoneNumbers: {
    description:
      'The numbers, in E.164 or with the country code. Extensions, other columns of a row, and words around a number are ignored. An item that can be read as several numbers stands for all of them. Numbers of any type are accepted.',
    examples: [['+14155552671']],
  },
  reason: {
    description:
      'The reason, which is shown with the entry. A number that is already on the list keeps its reason.',
    examples: ['asked the operator'],
  },
});
describeBody([AddToWhitelist], { phoneNumbers });

const REJECTED = objectOf<RejectedNumber>('RejectedNumber', {
  phoneNumber: described(
    TEXT_SCHEMA,
    'The item as it was sent. Long text is truncated. An item that is not a string is shown as JSON.',
  ),
  error: described(
    TEXT_SCHEMA,
    'Why the item is not a valid phone number. The text names the item, such as `phoneNumbers[3]`.',
  ),
});

const ADDED_FIELDS = {
  added: described(COUNT_SCHEMA, 'How many numbers were not on the list before.'),
  rejected: described(
    listOf(REJECTED),
    'The items that are not valid phone numbers. All others are on the list. If no item is valid, the request is refused with 400.',
  ),
};

const ADDED = objectOf<Added>('NumbersAddedToWhitelist', ADDED_FIELDS);

const LISTED = objectOf<ListedNumber>('ListedNumber', {
  given: described(TEXT_SCHEMA, 'The item as it was sent. Long text is truncated.'),
  phoneNumbers: described(
    listOf(E164_SCHEMA),
    'The numbers that are now on the list. There are several if the item can be read as several numbers.',
  ),
});

const ADDED_TO_DO_NOT_CALL = objectOf<AddedToDoNotCall>('NumbersAdded', {
  ...ADDED_FIELDS,
  listed: described(
    listOf(LISTED),
    'What was listed for each item that was not rejected, in the order of the request.',
  ),
});

const DO_NOT_CALL = objectOf<DoNotCallResource>('DoNotCallResource', {
  phoneNumber: described(
    STORED_NUMBER_SCHEMA,
    'The number. After the erasure of its contact, lists show `erased:` and a hash instead.',
  ),
  reason: described(nullable(TEXT_SCHEMA), 'The reason. Null if none was sent or the contact was erased.'),
  createdAt: INSTANT_SCHEMA,
});

const LIMIT_FIELDS = {
  campaignId: described(nullable(UUID_SCHEMA), 'The campaign whose calls the entry forbids.'),
  agentId: described(nullable(UUID_SCHEMA), 'The agent whose calls the entry forbids.'),
  purpose: described(
    nullable(oneOf(PURPOSES)),
    'The purpose of the calls that the entry forbids. Null: any purpose.',
  ),
  reason: DO_NOT_CALL.properties?.reason ?? TEXT_SCHEMA,
  effectiveFrom: described(INSTANT_SCHEMA, 'From when the entry holds.'),
  expiresAt: described(nullable(INSTANT_SCHEMA), 'Until when the entry holds. Null: without end.'),
};

const LIMITED = objectOf<LimitedDoNotCallResource>('LimitedDoNotCallResource', {
  phoneNumber: DO_NOT_CALL.properties?.phoneNumber ?? STORED_NUMBER_SCHEMA,
  scope: described(oneOf(TEAM_SCOPES), 'Whose calls the entry forbids.'),
  ...LIMIT_FIELDS,
  createdAt: INSTANT_SCHEMA,
});

const HISTORY_ENTRY = objectOf<SuppressionEntryResource>('SuppressionEntry', {
  action: described(oneOf(['added', 'removed']), 'What happened to the entries of the scope.'),
  scope: described(oneOf(SUPPRESSION_SCOPES), 'Whose calls the entry forbids.'),
  ...LIMIT_FIELDS,
  source: described(
    oneOf(SUPPRESSION_SOURCES),
    'How the entry came: by the team (`request`), in a call (`opt_out`), from a register, by an import, or by the operator.',
  ),
  actorKind: described(
    oneOf(['user', 'key', 'token', 'cli', 'system']),
    'Who: a person, a team’s key, the operator token, the command line, or a process of its own accord.',
  ),
  actorName: described(
    nullable(TEXT_SCHEMA),
    'The person’s e-mail, or the name of the key or of the account.',
  ),
  recordedAt: INSTANT_SCHEMA,
});

const HISTORY = {
  summary: 'List the ledger of a number, the newest entry first',
  description:
    'Each addition to the Do Not Call list and each removal is an entry, which is never changed. An opt-out in a call is an entry also if the number was on the list.',
  success: { description: 'A page of entries.', schema: pageOfItems(HISTORY_ENTRY, 'SuppressionEntryPage') },
};

const LIMITED_LIST = {
  summary: 'List the entries that hold only for a campaign, an agent, a purpose or a time, the newest first',
  success: {
    description: 'A page of entries, without those that have expired.',
    schema: pageOfItems(LIMITED, 'LimitedDoNotCallPage'),
  },
};

const REMOVED = {
  query: {
    scope: {
      description: 'The scope of the entries that are removed. By default, `team`.',
      schema: oneOf(TEAM_SCOPES),
    },
    campaignId: { description: 'The campaign. It is needed with the scope `campaign`.', schema: UUID_SCHEMA },
    agentId: { description: 'The agent. It is needed with the scope `agent`.', schema: UUID_SCHEMA },
  },
  success: { description: 'The number is removed.' },
  refusals: {
    400: errorDoc('The scope does not fit the ids.', 'campaignId is needed with the scope campaign'),
  },
};

const ENDS_CALLS =
  'Pending calls to the numbers end `blocked` at once, and live enrollments of their contacts end `exited`. An entry for a campaign ' +
  'ends only its enrollments, and an entry for an agent only its calls. An entry from a later time, or for a purpose that the team honours, ends nothing: calls are refused when they are due.';

export const TEAM_DO_NOT_CALL_OPENAPI = documented(
  DoNotCallController,
  { surface: 'team', tag: 'Do Not Call' },
  {
    list: {
      id: 'listDoNotCallByKey',
      summary: 'List the numbers on the Do Not Call list, the newest first',
      success: { description: 'A page of numbers.', schema: pageOfItems(DO_NOT_CALL, 'DoNotCallPage') },
    },
    add: {
      id: 'addToDoNotCallByKey',
      summary: 'Add numbers to the Do Not Call list',
      description: ENDS_CALLS,
      success: {
        description: 'The numbers are on the list, except the rejected items.',
        schema: ADDED_TO_DO_NOT_CALL,
      },
    },
    history: { id: 'doNotCallHistoryByKey', ...HISTORY },
    limited: { id: 'listLimitedDoNotCallByKey', ...LIMITED_LIST },
    remove: {
      id: 'removeFromDoNotCallByKey',
      summary: 'Remove a number from the Do Not Call list',
      ...REMOVED,
    },
  },
);

export const DO_NOT_CALL_OPENAPI = documented(
  DoNotCallAdminController,
  { surface: 'operator', tag: 'Operator: number lists' },
  {
    list: {
      id: 'listDoNotCall',
      summary: 'List the numbers on a team’s Do Not Call list',
      success: { description: 'A page of numbers.', schema: pageOfItems(DO_NOT_CALL, 'DoNotCallPage') },
    },
    add: {
      id: 'addToDoNotCall',
      summary: 'Add numbers to the Do Not Call list',
      description: ENDS_CALLS,
      success: {
        description: 'The numbers are on the list, except the rejected items.',
        schema: ADDED_TO_DO_NOT_CALL,
      },
    },
    get: {
      id: 'getDoNotCall',
      summary: 'Read an entry of the Do Not Call list',
      success: { description: 'The entry.', schema: DO_NOT_CALL },
    },
    history: { id: 'doNotCallHistory', ...HISTORY },
    limited: { id: 'listLimitedDoNotCall', ...LIMITED_LIST },
    remove: {
      id: 'removeFromDoNotCall',
      summary: 'Remove a number from the Do Not Call list',
      ...REMOVED,
    },
  },
);

export const PLATFORM_DO_NOT_CALL_OPENAPI = documented(
  PlatformDoNotCallAdminController,
  { surface: 'operator', tag: 'Operator: number lists' },
  {
    list: {
      id: 'listPlatformDoNotCall',
      summary: 'List the numbers on the platform’s own Do Not Call list',
      success: { description: 'A page of numbers.', schema: pageOfItems(DO_NOT_CALL, 'DoNotCallPage') },
    },
    add: {
      id: 'addToPlatformDoNotCall',
      summary: 'Add numbers that no team may call',
      description:
        'Pending calls of every team to the numbers end `blocked` at once, and live enrollments of their contacts end `exited`.',
      success: {
        description: 'The numbers are on the list, except the rejected items.',
        schema: ADDED_TO_DO_NOT_CALL,
      },
    },
    history: { id: 'platformDoNotCallHistory', ...HISTORY },
    get: {
      id: 'getPlatformDoNotCall',
      summary: 'Read an entry of the platform’s own Do Not Call list',
      success: { description: 'The entry.', schema: DO_NOT_CALL },
    },
    remove: {
      id: 'removeFromPlatformDoNotCall',
      summary: 'Remove a number from the platform’s own Do Not Call list',
      success: { description: 'The number is removed.' },
    },
  },
);

const WHITELISTED = objectOf<WhitelistResource>('WhitelistResource', {
  phoneNumber: E164_SCHEMA,
  createdAt: INSTANT_SCHEMA,
});

export const WHITELIST_OPENAPI = documented(
  WhitelistAdminController,
  { surface: 'operator', tag: 'Operator: number lists' },
  {
    list: {
      id: 'listWhitelist',
      summary: 'List the numbers on a team’s whitelist',
      description: 'If `whitelistOnly` of the team is true, only these numbers may be called.',
      success: { description: 'A page of numbers.', schema: pageOfItems(WHITELISTED, 'WhitelistPage') },
    },
    add: {
      id: 'addToWhitelist',
      summary: 'Add numbers to the whitelist',
      success: { description: 'The numbers are on the list, except the rejected items.', schema: ADDED },
    },
    get: {
      id: 'getWhitelist',
      summary: 'Read an entry of the whitelist',
      success: { description: 'The entry.', schema: WHITELISTED },
    },
    remove: {
      id: 'removeFromWhitelist',
      summary: 'Remove a number from the whitelist',
      success: { description: 'The number is removed.' },
    },
  },
);
