import { ErasureService } from '../../erasure/erasure.service.js';
import { CONTACT_COLUMNS } from '../../contacts/contacts.service.js';
import { type ContactFilter, TeamContactsService } from '../../contacts/team-contacts.service.js';
import { type Command, done, pageOutput } from '../command.js';
import { exportCommand } from '../export-command.js';

const FILTERS = {
  phoneNumber: { value: '<number>', help: 'only with this number' },
  email: { value: '<email>', help: 'only with this e-mail address' },
  updatedSince: { value: '<time>', help: 'only changed then or later, such as 2027-03-28T09:00:00Z' },
};

export const CONTACT_COMMANDS: readonly Command[] = [
  {
    name: 'contact list',
    summary: 'List contacts, the newest first',
    team: true,
    paged: true,
    filters: FILTERS,
    run: async ({ service, teamId, page }) => {
      const contacts = await service(TeamContactsService).list(teamId, page<ContactFilter>());
      return pageOutput(contacts, 'contactId', 'phoneNumber', 'name', 'email', 'companyName', 'timezone');
    },
  },
  exportCommand('contact', 'contacts', CONTACT_COLUMNS, FILTERS, ({ service, teamId }) => {
    const contacts = service(TeamContactsService);
    return (page) => contacts.list(teamId, page);
  }),
  {
    name: 'contact erase',
    summary: 'Erase a contact permanently; its calls stay without personal data',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      await service(ErasureService).erase(teamId, arg('id'));
      return done('Erased.', { erased: arg('id') });
    },
  },
];
