import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Keyed, type KeyedRequest } from '../teams/keyed-request.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { ContactsService, type ContactView, type StoredContact } from './contacts.service.js';

/** Contract 4.2 and 4.4, and a team's own contacts by its key. */
@Controller('api')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post('contacts')
  create(@Keyed() request: KeyedRequest): Promise<StoredContact> {
    return this.contacts.create(request);
  }

  @Post('campaigns/contact-enrollments')
  @HttpCode(200)
  createOrUpdate(@Keyed() request: KeyedRequest): Promise<StoredContact> {
    return this.contacts.createOrUpdate(request);
  }

  @Get('contacts/:contactId')
  @UseGuards(TeamAuthGuard)
  get(@TeamId() teamId: string, @Param('contactId') contactId: string): Promise<ContactView> {
    return this.contacts.get(teamId, contactId);
  }
}
