import { type ConsentResource } from '../../consents/consent.dto.js';
import { type Command, record } from '../command.js';
import { fieldOptions } from '../field-options.js';
import { operationCommand } from '../operation-command.js';

export const CONSENT_COMMANDS: readonly Command[] = [
  operationCommand({ name: 'consent add', operation: 'recordConsent', args: { number: 'phoneNumber' } }),
  operationCommand({
    name: 'consent list',
    operation: 'listConsents',
    columns: ['id', 'phoneNumber', 'level', 'purpose', 'voice', 'grantedAt', 'status', 'endedAt'],
  }),
  {
    name: 'consent revoke',
    summary: 'Revoke a consent',
    operations: ['revokeConsent'],
    args: ['id'],
    team: true,
    fields: fieldOptions('revokeConsent', { without: ['teamId', 'id'] }),
    run: async (call) =>
      record(await call.send<ConsentResource>('revokeConsent', { ...call.fields(), id: call.arg('id') })),
  },
];
