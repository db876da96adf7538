import { Get, Param, Post } from '@nestjs/common';
import { ErasePageService } from './erase-page.service.js';
import { RequestedPage, Done, Form, type PageRequest } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';

@TeamPages('contacts')
export class ContactPagesController {
  constructor(private readonly erasing: ErasePageService) {}

  @Get(':contactId/erase')
  @Needs('contacts.change')
  confirmation(
    @Param('teamId') teamId: string,
    @Param('contactId') contactId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.erasing.confirmation(request, teamId, contactId);
  }

  @Post(':contactId/erase')
  @Needs('contacts.change')
  async erase(
    @Param('teamId') teamId: string,
    @Param('contactId') contactId: string,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<Done> {
    await this.erasing.erase(teamId, contactId);
    // The form does not lead back to the page of the number, because its address contains the number.
    return new Done(form, 'erased', `/t/${teamId}/numbers`);
  }
}
