import { CONTACT_COLUMNS } from '../../contacts/contacts.service.js';
import { TeamContactsService } from '../../contacts/team-contacts.service.js';
import { type Command, done } from '../command.js';
import { exportCommand } from '../export-command.js';
import { operationCommand } from '../operation-command.js';

export const CONTACT_COMMANDS: readonly Command[] = [
  operationCommand({
    name: 'contact list',
    operation: 'listContacts',
    columns: ['contactId', 'phoneNumber', 'name', 'email', 'companyName', 'timezone'],
  }),
  exportCommand('contact', 'contacts', CONTACT_COLUMNS, 'exportContacts', ({ service, teamId }) => {
    const contacts = service(TeamContactsService);
    return (page) => contacts.list(teamId, page);
  }),
  operationCommand({
    name: 'contact erase',
    operation: 'eraseContactOfTeam',
    args: { id: 'contactId' },
    show: (_, { arg }) => done('Erased.', { erased: arg('id') }),
  }),
  operationCommand({
    name: 'contact erasures',
    operation: 'listPlatformErasures',
    columns: ['callId', 'carrier', 'carrierCallId', 'attempts', 'reason', 'dueAt', 'createdAt'],
  }),
];
