import { Module } from '@nestjs/common';
import { WalkedLists } from '../lists/walked-lists.js';
import { TeamsModule } from '../teams/teams.module.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsModule } from './contacts.module.js';
import { TeamContactsService } from './team-contacts.service.js';

/**
 * The HTTP side of contacts. In come a team's requests; out go stored contacts and pages of them. Table:
 * `contacts`, of ContactsModule. Only the API process imports it.
 */
@Module({
  imports: [ContactsModule, TeamsModule],
  providers: [TeamContactsService, WalkedLists],
  controllers: [ContactsController],
  exports: [TeamContactsService],
})
export class ContactsApiModule {}
