import { Controller, Get, Param, Patch, Post, Res, UseGuards } from '@nestjs/common';
import { Audited } from '../audit/audited.decorator.js';
import { type Response } from 'express';
import { ExportOf, type ExportRequest, type PageReader, sendExport } from '../http/export.js';
import { ObjectBody } from '../http/object-body.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { sendJson } from '../http/send-json.js';
import { send } from '../idempotency/run-once.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { Keyed } from '../teams/keyed.decorator.js';
import { type KeyedRequest } from '../teams/keyed-request.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { CONTACT_COLUMNS, ContactsService, type ContactView } from './contacts.service.js';
import { CONTACT_FILTERS, type ContactFilter } from './contact-filters.js';
import { ExternalIdHeader, type ParsedExternalId } from './external-id.js';
import { TeamContactsService } from './team-contacts.service.js';

/** Contract 4.2 and 4.4, and a team's own contacts by its key. */
@Controller('api')
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly own: TeamContactsService,
  ) {}

  @Post('contacts')
  @ChangeScope('contacts')
  async create(
    @Keyed() request: KeyedRequest,
    @ExternalIdHeader() externalId: ParsedExternalId,
    @Res() response: Response,
  ): Promise<void> {
    send(response, await this.contacts.create(request, externalId));
  }

  @Post('campaigns/contact-enrollments')
  @ChangeScope('contacts', 'enrollments')
  async createOrUpdate(
    @Keyed() request: KeyedRequest,
    @ExternalIdHeader() externalId: ParsedExternalId,
    @Res() response: Response,
  ): Promise<void> {
    send(response, await this.contacts.createOrUpdate(request, externalId));
  }

  @Get('contacts/export')
  @Audited('contact.exported')
  @ReadScope('contacts')
  @UseGuards(TeamAuthGuard)
  async export(
    @TeamId() teamId: string,
    @ExportOf(CONTACT_FILTERS) { format, bom, ...sent }: ExportRequest<ContactFilter>,
    @Res() response: Response,
  ): Promise<void> {
    const page: PageReader<ContactView> = (part) => this.own.list(teamId, { ...part, ...sent });
    await sendExport(response, { format, bom, name: 'contacts', columns: CONTACT_COLUMNS }, page);
  }

  @Get('contacts/:contactId')
  @ReadScope('contacts')
  @UseGuards(TeamAuthGuard)
  get(@TeamId() teamId: string, @Param('contactId') contactId: string): Promise<ContactView> {
    return this.contacts.get(teamId, contactId);
  }

  @Get('contacts')
  @ReadScope('contacts')
  @UseGuards(TeamAuthGuard)
  list(
    @TeamId() teamId: string,
    @PageOf(CONTACT_FILTERS, { refusedByFilters: true }) page: PageRequest<ContactFilter>,
  ): Promise<Page<ContactView>> {
    return this.own.list(teamId, page);
  }

  @Patch('contacts/:contactId')
  @ChangeScope('contacts')
  @UseGuards(TeamAuthGuard)
  update(
    @TeamId() teamId: string,
    @Param('contactId') contactId: string,
    @ObjectBody() body: Record<string, unknown>,
  ): Promise<ContactView> {
    return this.own.update(teamId, contactId, body);
  }

  @Patch('contacts/by-external-id/:externalId')
  @ChangeScope('contacts')
  @UseGuards(TeamAuthGuard)
  async updateByExternalId(
    @TeamId() teamId: string,
    @Param('externalId') externalId: string,
    @ObjectBody() body: Record<string, unknown>,
    @Res() response: Response,
  ): Promise<void> {
    const { created, contact } = await this.own.updateByExternalId(teamId, externalId, body);
    sendJson(response, created ? 201 : 200, contact);
  }
}
