import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { address } from '../design/address.js';
import { Done, Form, pageAround, type PageRequest, RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { Sent, type SentFields } from '../frame/sent-fields.js';
import { type TypedEndpoint } from './endpoint-form.view.js';
import { WebhookPagesService } from './webhook-pages.service.js';

type Fields = ReadonlyMap<string, string>;

/** A team's webhook endpoints. */
@TeamPages('webhooks')
export class WebhookPagesController {
  constructor(private readonly webhooks: WebhookPagesService) {}

  @Get()
  @Needs('webhooks.change')
  list(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.webhooks.list(request, teamId);
  }

  /** The answer shows the secret, so it is a page and no redirect: no address and no cookie ever has the secret. */
  @Post()
  @HttpCode(200)
  @Needs('webhooks.change')
  create(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
  ): Promise<PageElement | RefusedPage> {
    return this.webhooks.create(request, teamId, typedOf(sent));
  }

  @Get(':endpointId')
  @Needs('webhooks.change')
  one(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.webhooks.page(request, teamId, endpointId);
  }

  @Post(':endpointId')
  @Needs('webhooks.change')
  async change(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: Fields,
    @Sent() sent: SentFields,
  ): Promise<Done | RefusedPage> {
    const refused = await this.webhooks.change(pageAround(form, request), teamId, endpointId, typedOf(sent));
    return refused ?? new Done(form, 'webhookchanged');
  }

  @Post(':endpointId/enable')
  @Needs('webhooks.change')
  async enable(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @Form() form: Fields,
  ): Promise<Done> {
    await this.webhooks.setDisabled(teamId, endpointId, false);
    return new Done(form, 'webhookenabled');
  }

  @Post(':endpointId/disable')
  @Needs('webhooks.change')
  async disable(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @Form() form: Fields,
  ): Promise<Done> {
    await this.webhooks.setDisabled(teamId, endpointId, true);
    return new Done(form, 'webhookdisabled');
  }

  /** As {@link create}: only the answer shows the secret. */
  @Post(':endpointId/rotate')
  @HttpCode(200)
  @Needs('webhooks.change')
  rotate(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    const self = `/t/${teamId}/webhooks/${endpointId}`;
    return this.webhooks.rotate({ ...request, self }, teamId, endpointId);
  }

  @Post(':endpointId/delete')
  @Needs('webhooks.change')
  async remove(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @Form() form: Fields,
  ): Promise<Done> {
    await this.webhooks.remove(teamId, endpointId);
    return new Done(form, 'webhookdeleted', `/t/${teamId}/webhooks`);
  }

  /** Leads to the delivery of the test, which has its first answer by then, if that came soon. */
  @Post(':endpointId/test')
  @Needs('webhooks.change')
  async test(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @Form() form: Fields,
  ): Promise<Done> {
    const delivery = await this.webhooks.test(teamId, endpointId);
    return new Done(form, 'webhooktested', `/t/${teamId}/webhooks/${endpointId}/deliveries/${delivery}`);
  }

  /** Leads to the form again where kept events are left. */
  @Post(':endpointId/replay')
  @Needs('webhooks.change')
  async replay(
    @Param('teamId') teamId: string,
    @Param('endpointId') endpointId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: Fields,
  ): Promise<Done | RefusedPage> {
    const typed = { after: form.get('after') ?? '', until: form.get('until') ?? '' };
    const answer = await this.webhooks.replay(pageAround(form, request), teamId, endpointId, typed);
    if (answer instanceof RefusedPage) return answer;
    const self = `/t/${teamId}/webhooks/${endpointId}`;
    if (answer.nextAfter === null) return new Done(form, 'webhookreplayed', self);
    const next = { after: String(answer.nextAfter), until: typed.until.trim() };
    return new Done(form, 'webhookreplayedpart', address(self, next));
  }
}

function typedOf(sent: SentFields): TypedEndpoint {
  return {
    url: sent.text('url'),
    description: sent.text('description'),
    which: sent.text('which') === 'some' ? 'some' : 'all',
    types: sent.all('types'),
  };
}
