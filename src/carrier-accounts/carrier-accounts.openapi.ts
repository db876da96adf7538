import { describeBody } from '../http/body-schema.js';
import {
  described,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { byKey, documented, type OperationsOf, pageOfItems } from '../http/openapi/operation.js';
import { type CarrierAccountRoutes } from './carrier-account-routes.js';
import {
  type CarrierAccountCheck,
  type CarrierAccountResource,
  CreateCarrierAccount,
  UpdateCarrierAccount,
} from './carrier-account.dto.js';
import { CarrierAccountsAdminController } from './carrier-accounts-admin.controller.js';
import { CarrierAccountsController } from './carrier-accounts.controller.js';
import { NO_KEY } from './carrier-accounts.service.js';
import { OVERLAP_HOURS } from './carrier-accounts.sql.js';

const CREDENTIALS =
  'The credentials, as texts by their names; each carrier has its own, such as `apiKey`. They are stored sealed and never shown again.';

const MAX_CONCURRENT =
  'The most active calls of the agents that name the account. Further due calls wait until a call ends. Null is no limit.';
const CALLS_PER_SECOND =
  'The most calls a second of these agents, which all workers share. Further due calls wait for their turn. Null is no limit.';

describeBody([CreateCarrierAccount], {
  name: { description: 'Display name.', examples: ['Main account'] },
  carrier: 'The carrier at which the team has the account. It cannot be changed.',
  credentials: { description: CREDENTIALS, examples: [{ apiKey: 'key_0123456789abcdef' }] },
  maxConcurrent: MAX_CONCURRENT,
  callsPerSecond: CALLS_PER_SECOND,
});

describeBody([UpdateCarrierAccount], {
  name: 'Display name.',
  credentials:
    `${CREDENTIALS} A change replaces all of them. Dials use the new ones at once; reports that are signed with the previous ` +
    `ones are accepted for ${OVERLAP_HOURS} hours.`,
  maxConcurrent: MAX_CONCURRENT,
  callsPerSecond: CALLS_PER_SECOND,
});

const ACCOUNT = objectOf<CarrierAccountResource>('CarrierAccount', {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  carrier: TEXT_SCHEMA,
  reportUrl: described(
    nullable(TEXT_SCHEMA),
    'The address to which the carrier reports about the calls of this account. Null if the deployment has no `PUBLIC_URL`.',
  ),
  maxConcurrent: described(nullable({ type: 'integer', minimum: 1 }), MAX_CONCURRENT),
  callsPerSecond: described(nullable({ type: 'number' }), CALLS_PER_SECOND),
  rotatedAt: described(
    nullable(INSTANT_SCHEMA),
    'When the credentials were last replaced. Null if they are the first.',
  ),
  createdAt: INSTANT_SCHEMA,
});

const CHECK = objectOf<CarrierAccountCheck>('CarrierAccountCheck', {
  ok: { ...FLAG_SCHEMA, description: 'Whether every item is good.' },
  items: listOf(
    objectOf<CarrierAccountCheck['items'][number]>('CarrierAccountCheckItem', {
      what: TEXT_SCHEMA,
      ok: FLAG_SCHEMA,
      detail: TEXT_SCHEMA,
    }),
  ),
});

const CANNOT_SEAL = errorDoc(
  'The deployment has no `SECRETS_KEY`, under which credentials are sealed.',
  NO_KEY,
);

const IN_USE: JsonSchema = {
  title: 'CarrierAccountInUse',
  type: 'object',
  properties: { error: TEXT_SCHEMA, reason: { type: 'string', const: 'ACCOUNT_IN_USE' } },
  required: ['error', 'reason'],
};

const OPERATIONS: OperationsOf<CarrierAccountRoutes> = {
  list: {
    id: 'listCarrierAccounts',
    summary: 'List a team’s carrier accounts',
    success: { description: 'A page of accounts.', schema: pageOfItems(ACCOUNT, 'CarrierAccountPage') },
  },
  create: {
    id: 'createCarrierAccount',
    summary: 'Create a carrier account',
    success: { description: 'The account, without its credentials.', schema: ACCOUNT },
    refusals: { 409: CANNOT_SEAL },
  },
  get: {
    id: 'getCarrierAccount',
    summary: 'Read a carrier account',
    success: { description: 'The account, without its credentials.', schema: ACCOUNT },
  },
  update: {
    id: 'updateCarrierAccount',
    summary: 'Change a carrier account, or rotate its credentials',
    success: { description: 'The account, without its credentials.', schema: ACCOUNT },
    refusals: { 409: CANNOT_SEAL },
  },
  delete: {
    id: 'deleteCarrierAccount',
    summary: 'Delete a carrier account and its credentials',
    success: { description: 'The account is deleted.' },
    refusals: {
      409: {
        description: 'A voice agent names the account.',
        schema: IN_USE,
        examples: {
          inUse: { error: 'The carrier account is in use by 1 voice agent(s)', reason: 'ACCOUNT_IN_USE' },
        },
      },
    },
  },
  check: {
    id: 'checkCarrierAccount',
    summary: 'Check a carrier account, its agents and the team’s numbers, without a call',
    success: { description: 'What works and what does not.', schema: CHECK },
    refusals: {
      409: errorDoc(
        'The deployment does not have the carrier.',
        'The deployment does not have the carrier of this account',
      ),
    },
  },
};

export const TEAM_CARRIER_ACCOUNTS_OPENAPI = documented(
  CarrierAccountsController,
  { surface: 'team', tag: 'Agents and numbers' },
  byKey(OPERATIONS),
);

export const CARRIER_ACCOUNTS_OPENAPI = documented(
  CarrierAccountsAdminController,
  { surface: 'operator', tag: 'Operator: voice agents' },
  OPERATIONS,
);
