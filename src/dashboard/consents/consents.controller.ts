import { Get, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, pageAround, type PageRequest, RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { ConsentsPageService } from './consents-page.service.js';
import { CONSENT_FORM, type TypedConsent } from './consents.view.js';

type Sent = ReadonlyMap<string, string>;

@TeamPages('consents')
export class ConsentPagesController {
  constructor(private readonly consents: ConsentsPageService) {}

  @Get()
  @Needs('read')
  page(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.consents.page(request, teamId);
  }

  @Post()
  @Needs('suppressions.change')
  async record(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
  ): Promise<Done | RefusedPage> {
    const answer = await this.consents.record(pageAround(form, request), teamId, typedOf(form));
    if (answer instanceof RefusedPage) return answer;
    return new Done(form, answer.status === 'in_force' ? 'consentrecorded' : 'consentended');
  }

  @Post(':id/revoke')
  @Needs('suppressions.change')
  async revoke(@Param('teamId') teamId: string, @Param('id') id: string, @Form() form: Sent): Promise<Done> {
    await this.consents.revoke(teamId, id, form.get('reason') ?? '');
    return new Done(form, 'consentrevoked');
  }
}

function typedOf(form: Sent): TypedConsent {
  const fields = Object.keys(CONSENT_FORM).map((name) => [name, form.get(name) ?? '']);
  return Object.fromEntries(fields) as TypedConsent;
}
