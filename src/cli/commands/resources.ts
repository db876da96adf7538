import { type Stop } from '../../platform/stops/stop.dto.js';
import { type Command, done, record } from '../command.js';
import { operationCommand } from '../operation-command.js';
import { stopped } from './platform.js';

const TEAM_COMMANDS: readonly Command[] = [
  operationCommand({ name: 'team create', operation: 'createTeam' }),
  operationCommand({
    name: 'team list',
    operation: 'listTeams',
    columns: ['id', 'name', 'timezone', 'monthlyCallLimit', 'paused', 'createdAt'],
  }),
  operationCommand({ name: 'team show', operation: 'getTeam', args: { id: 'teamId' } }),
  operationCommand({ name: 'team update', operation: 'updateTeam', args: { id: 'teamId' } }),
  operationCommand({ name: 'team pause', operation: 'pauseTeam', args: { id: 'teamId' } }),
  operationCommand({
    name: 'team stop',
    operation: 'stopTeam',
    args: { id: 'teamId' },
    show: (answer: Stop) => done(stopped('Paused: no calls are dialed for the team.', answer), answer),
  }),
  operationCommand({ name: 'team resume', operation: 'resumeTeam', args: { id: 'teamId' } }),
];

const KEY_COMMANDS: readonly Command[] = [
  operationCommand({
    name: 'key create',
    operation: 'createApiKey',
    summary: 'Create an API key; it is shown only once',
    // With the word `none`, who means "nothing" would get a key for everything.
    flags: { scopes: { nullWord: 'all' }, expiresAt: { nullWord: 'never' } },
    show: (key) => record(key, 'Store the key now: only its hash is stored, and it cannot be shown again.'),
  }),
  operationCommand({
    name: 'key list',
    operation: 'listApiKeys',
    columns: ['id', 'name', 'prefix', 'scopes', 'expiresAt', 'lastUsedAt', 'createdAt'],
  }),
  operationCommand({ name: 'key show', operation: 'getApiKey', args: { id: 'id' } }),
  operationCommand({
    name: 'key revoke',
    operation: 'revokeApiKey',
    args: { id: 'id' },
    show: (_, { arg }) =>
      done('Revoked: requests with this key are refused.', { id: arg('id'), revoked: true }),
  }),
];

const NUMBER_COMMANDS: readonly Command[] = [
  operationCommand({ name: 'number add', operation: 'createPhoneNumber', args: { number: 'phoneNumber' } }),
  operationCommand({
    name: 'number list',
    operation: 'listPhoneNumbers',
    columns: ['id', 'phoneNumber', 'active', 'outboundEnabled', 'createdAt'],
  }),
  operationCommand({ name: 'number show', operation: 'getPhoneNumber', args: { id: 'id' } }),
  operationCommand({ name: 'number update', operation: 'updatePhoneNumber', args: { id: 'id' } }),
];

const POOL_COMMANDS: readonly Command[] = [
  operationCommand({ name: 'pool create', operation: 'createNumberPool' }),
  operationCommand({
    name: 'pool list',
    operation: 'listNumberPools',
    columns: ['id', 'name', 'phoneNumbers', 'createdAt'],
  }),
  operationCommand({ name: 'pool show', operation: 'getNumberPool', args: { id: 'id' } }),
  operationCommand({ name: 'pool update', operation: 'updateNumberPool', args: { id: 'id' } }),
];

const AT_ANY_TIME = { callingHours: { nullWord: 'any' } };

const AGENT_COMMANDS: readonly Command[] = [
  operationCommand({ name: 'agent create', operation: 'createVoiceAgent', flags: AT_ANY_TIME }),
  operationCommand({
    name: 'agent list',
    operation: 'listVoiceAgents',
    columns: ['id', 'name', 'timezone', 'outboundPhoneNumber', 'numberPoolId', 'carrier'],
  }),
  operationCommand({ name: 'agent show', operation: 'getVoiceAgent', args: { id: 'id' } }),
  operationCommand({
    name: 'agent update',
    operation: 'updateVoiceAgent',
    args: { id: 'id' },
    flags: AT_ANY_TIME,
  }),
  operationCommand({
    name: 'agent delete',
    operation: 'deleteVoiceAgent',
    args: { id: 'id' },
    show: (_, { arg }) => done('Deleted: no new call names this agent.', { id: arg('id'), deleted: true }),
  }),
];

/** What a team has, in the order in which it is set up. */
export const RESOURCE_COMMANDS: readonly Command[] = [
  ...TEAM_COMMANDS,
  ...KEY_COMMANDS,
  ...NUMBER_COMMANDS,
  ...POOL_COMMANDS,
  ...AGENT_COMMANDS,
];
