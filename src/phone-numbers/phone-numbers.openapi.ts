import { describeBody, NATIONAL_FORM } from '../http/body-schema.js';
import {
  described,
  E164_SCHEMA,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  listOf,
  objectOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { byKey, documented, type OperationsOf, pageOfItems } from '../http/openapi/operation.js';
import { CreateNumberPool, type NumberPoolResource, UpdateNumberPool } from './number-pool.dto.js';
import { type NumberPoolRoutes } from './number-pool-routes.js';
import { NumberPoolsController } from './number-pools.controller.js';
import { NumberPoolsAdminController } from './number-pools-admin.controller.js';
import { CreatePhoneNumber, type PhoneNumberResource, UpdatePhoneNumber } from './phone-number.dto.js';
import { PhoneNumbersController } from './phone-numbers.controller.js';
import { PhoneNumbersAdminController } from './phone-numbers-admin.controller.js';

describeBody([CreatePhoneNumber, UpdatePhoneNumber], {
  phoneNumber: {
    description: `The number, preferably in E.164. ${NATIONAL_FORM}`,
    examples: ['+14155550100'],
  },
  active: 'Whether the number may be used as a caller ID. A new number is active by default.',
  outboundEnabled:
    'Whether outbound calling is provisioned for the number. The default for a new number is true. A caller ID needs both flags.',
});

const NUMBER = objectOf<PhoneNumberResource>('PhoneNumberResource', {
  id: UUID_SCHEMA,
  phoneNumber: E164_SCHEMA,
  active: FLAG_SCHEMA,
  outboundEnabled: FLAG_SCHEMA,
  createdAt: INSTANT_SCHEMA,
});

export const TEAM_PHONE_NUMBERS_OPENAPI = documented(
  PhoneNumbersController,
  { surface: 'team', tag: 'Agents and numbers' },
  {
    list: {
      id: 'listPhoneNumbersByKey',
      summary: 'List the team’s phone numbers, the newest first',
      success: { description: 'A page of numbers.', schema: pageOfItems(NUMBER, 'PhoneNumberResourcePage') },
    },
    get: {
      id: 'getPhoneNumberByKey',
      summary: 'Read a phone number',
      success: { description: 'The number.', schema: NUMBER },
    },
  },
);

export const PHONE_NUMBERS_OPENAPI = documented(
  PhoneNumbersAdminController,
  { surface: 'operator', tag: 'Operator: numbers' },
  {
    list: {
      id: 'listPhoneNumbers',
      summary: 'List a team’s phone numbers',
      success: { description: 'A page of numbers.', schema: pageOfItems(NUMBER, 'PhoneNumberResourcePage') },
    },
    create: {
      id: 'createPhoneNumber',
      summary: 'Add a phone number',
      success: { description: 'The number.', schema: NUMBER },
      refusals: {
        409: errorDoc('The team already has this number.', 'The team already has this phoneNumber'),
      },
    },
    get: {
      id: 'getPhoneNumber',
      summary: 'Read a phone number',
      success: { description: 'The number.', schema: NUMBER },
    },
    update: {
      id: 'updatePhoneNumber',
      summary: 'Change a phone number; fields that are not sent stay unchanged',
      success: { description: 'The number.', schema: NUMBER },
      refusals: {
        409: errorDoc(
          'A voice agent or a number pool uses the number that would change, or the team already has the new number.',
          'The phoneNumber is in use by a voice agent or a number pool',
          'The team already has this phoneNumber',
        ),
      },
    },
  },
);

describeBody([CreateNumberPool, UpdateNumberPool], {
  name: { description: 'Display name.', examples: ['California'] },
  phoneNumbers: {
    description:
      'The numbers of the pool. Each is a phone number of the team. A change replaces the whole list.',
    examples: [['+14155550100']],
  },
});

const POOL = objectOf<NumberPoolResource>('NumberPoolResource', {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  phoneNumbers: described(listOf(E164_SCHEMA), 'The numbers of the pool, in ascending order.'),
  createdAt: INSTANT_SCHEMA,
});

const POOL_OPERATIONS: OperationsOf<NumberPoolRoutes> = {
  list: {
    id: 'listNumberPools',
    summary: 'List a team’s number pools',
    success: { description: 'A page of pools.', schema: pageOfItems(POOL, 'NumberPoolResourcePage') },
  },
  create: {
    id: 'createNumberPool',
    summary: 'Create a number pool',
    success: { description: 'The pool.', schema: POOL },
  },
  get: {
    id: 'getNumberPool',
    summary: 'Read a number pool',
    success: { description: 'The pool.', schema: POOL },
  },
  update: {
    id: 'updateNumberPool',
    summary: 'Change a number pool; fields that are not sent stay unchanged',
    success: { description: 'The pool.', schema: POOL },
  },
};

export const TEAM_NUMBER_POOLS_OPENAPI = documented(
  NumberPoolsController,
  { surface: 'team', tag: 'Agents and numbers' },
  byKey(POOL_OPERATIONS),
);

export const NUMBER_POOLS_OPENAPI = documented(
  NumberPoolsAdminController,
  { surface: 'operator', tag: 'Operator: numbers' },
  POOL_OPERATIONS,
);
