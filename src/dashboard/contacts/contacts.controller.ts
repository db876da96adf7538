import { Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type PageElement } from '../../http/html-page.js';
import { sendPieces } from '../../http/send-pieces.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { Done, Form, pageAround, type PageRequest, RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { shownKeysOf, typedOfForm } from './contact-form.js';
import { ContactFormPageService } from './contact-form-page.service.js';
import { ContactListPageService } from './contact-list-page.service.js';
import { ContactPageService } from './contact-page.service.js';
import { ErasePageService } from './erase-page.service.js';

type Sent = ReadonlyMap<string, string>;

/** The contacts of a team: list, forms, and a page for each contact. */
@TeamPages('contacts')
export class ContactPagesController {
  constructor(
    private readonly lists: ContactListPageService,
    private readonly forms: ContactFormPageService,
    private readonly people: ContactPageService,
    private readonly erasing: ErasePageService,
  ) {}

  @Get()
  @Needs('read')
  list(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.lists.page(request, teamId);
  }

  @Get('new')
  @Needs('contacts.change')
  adding(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.forms.adding(request);
  }

  @Post('new')
  @Needs('contacts.change')
  async add(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
  ): Promise<Done | RefusedPage> {
    const added = await this.forms.add(request, teamId, typedOfForm(form));
    if (added instanceof RefusedPage) return added;
    return new Done(form, 'contactadded', `/t/${teamId}/contacts/${added}`);
  }

  @Get(':contactId')
  @Needs('read')
  person(
    @Param('teamId') teamId: string,
    @Param('contactId') contactId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.people.page(request, teamId, contactId);
  }

  @Get(':contactId/export')
  @Needs('read')
  async export(
    @Param('teamId') teamId: string,
    @Param('contactId') contactId: string,
    @Res() response: Response,
  ): Promise<void> {
    const pieces = await this.people.export(teamId, contactId);
    response.set('Content-Disposition', `attachment; filename="contact-${contactId}.json"`);
    await sendPieces(response, pieces);
  }

  @Post(':contactId/call')
  @Needs('calls.change')
  async call(
    @Param('teamId') teamId: string,
    @Param('contactId') contactId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
    @Req() asked: Request,
  ): Promise<Done | RefusedPage> {
    const sent = { contactId, agentId: form.get('agent') ?? '', trace: traceOf(asked) };
    const placed = await this.people.call(pageAround(form, request), teamId, sent);
    if (placed instanceof RefusedPage) return placed;
    return new Done(form, 'callplaced', `/t/${teamId}/calls/${placed}`);
  }

  @Get(':contactId/edit')
  @Needs('contacts.change')
  editing(
    @Param('teamId') teamId: string,
    @Param('contactId') contactId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.forms.editing(request, teamId, contactId);
  }

  @Post(':contactId/edit')
  @Needs('contacts.change')
  async edit(
    @Param('teamId') teamId: string,
    @Param('contactId') contactId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
  ): Promise<Done | RefusedPage> {
    const sent = { contactId, typed: typedOfForm(form), shown: shownKeysOf(form) };
    const changed = await this.forms.change(request, teamId, sent);
    if (changed instanceof RefusedPage) return changed;
    const notice = changed ? 'contactchanged' : 'nothingchanged';
    return new Done(form, notice, `/t/${teamId}/contacts/${contactId}`);
  }

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
    @Form() form: Sent,
  ): Promise<Done> {
    await this.erasing.erase(teamId, contactId);
    // The page of the person is gone, and the address of that of the number contains the number.
    return new Done(form, 'erased', `/t/${teamId}/contacts`);
  }
}
