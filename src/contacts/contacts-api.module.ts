import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsModule } from './contacts.module.js';
import { TeamContactsService } from './team-contacts.service.js';

/** The HTTP side of contacts; only the API process imports it. */
@Module({
  imports: [ContactsModule, TeamsModule],
  providers: [TeamContactsService],
  controllers: [ContactsController],
})
export class ContactsApiModule {}
