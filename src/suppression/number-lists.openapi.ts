import { describeBody, NATIONAL_FORM } from '../http/body-schema.js';
import {
  COUNT_SCHEMA,
  described,
  E164_SCHEMA,
  INSTANT_SCHEMA,
  listOf,
  nullable,
  objectOf,
  STORED_NUMBER_SCHEMA,
  TEXT_SCHEMA,
} from '../http/json-schema.js';
import { documented, pageOfItems } from '../http/openapi/operation.js';
import { type ListedNumber, type RejectedNumber } from '../phone-numbers/team-number.js';
import { DoNotCallController } from './do-not-call.controller.js';
import { DoNotCallAdminController } from './do-not-call-admin.controller.js';
import {
  type Added,
  type AddedToDoNotCall,
  AddToDoNotCall,
  AddToWhitelist,
  type DoNotCallResource,
  type WhitelistResource,
} from './number-lists.dto.js';
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

const ENDS_CALLS =
  'Pending calls to the numbers end `blocked` at once, and live enrollments of their contacts end `exited`.';

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
    remove: {
      id: 'removeFromDoNotCallByKey',
      summary: 'Remove a number from the Do Not Call list',
      success: { description: 'The number is removed.' },
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
    remove: {
      id: 'removeFromDoNotCall',
      summary: 'Remove a number from the Do Not Call list',
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
