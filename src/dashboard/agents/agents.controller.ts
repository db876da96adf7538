import { Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { type PageElement } from '../../http/html-page.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { Done, Form, type PageRequest, type RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { Sent, type SentFields } from '../frame/sent-fields.js';
import { AgentPageService } from './agent-page.service.js';
import { AgentsPageService } from './agents-page.service.js';

type Fields = ReadonlyMap<string, string>;
type Answer = Promise<PageElement | RefusedPage | Done>;

/** The agents of a team. */
@TeamPages('agents')
export class AgentPagesController {
  constructor(
    private readonly agents: AgentsPageService,
    private readonly single: AgentPageService,
  ) {}

  @Get()
  @Needs('read')
  list(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.agents.list(request, teamId);
  }

  @Get('new')
  @Needs('agents.change')
  newForm(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.agents.newForm(request, teamId);
  }

  /** A form whose button only changes the form is shown again. */
  @Post()
  @HttpCode(200)
  @Needs('agents.change')
  async create(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: Fields,
  ): Answer {
    const list = `/t/${teamId}/agents`;
    const made = await this.agents.create({ ...request, self: `${list}/new` }, teamId, sent);
    return typeof made === 'string' ? new Done(form, 'agentcreated', `${list}/${made}`) : made;
  }

  @Get(':agentId')
  @Needs('read')
  page(
    @Param('teamId') teamId: string,
    @Param('agentId') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.single.page(request, teamId, id);
  }

  @Get(':agentId/edit')
  @Needs('agents.change')
  editForm(
    @Param('teamId') teamId: string,
    @Param('agentId') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.agents.editForm(request, teamId, id);
  }

  @Post(':agentId')
  @HttpCode(200)
  @Needs('agents.change')
  async save(
    @Param('teamId') teamId: string,
    @Param('agentId') id: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: Fields,
  ): Answer {
    const page = `/t/${teamId}/agents/${id}`;
    const saved = await this.agents.save({ ...request, self: `${page}/edit` }, teamId, id, sent);
    if (saved !== 'saved' && saved !== 'same') return saved;
    return new Done(form, saved === 'saved' ? 'agentsaved' : 'nothingchanged', page);
  }

  /** A form and no link, because the carrier is asked. */
  @Post(':agentId/check')
  @HttpCode(200)
  @Needs('agents.change')
  check(
    @Param('teamId') teamId: string,
    @Param('agentId') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.single.check({ ...request, self: `/t/${teamId}/agents/${id}` }, teamId, id);
  }

  @Post(':agentId/test-call')
  @Needs('calls.change')
  async testCall(
    @Param('teamId') teamId: string,
    @Param('agentId') id: string,
    @RequestedPage() request: PageRequest,
    @Form() form: Fields,
    @Req() asked: Request,
  ): Answer {
    const page = { ...request, self: `/t/${teamId}/agents/${id}` };
    const number = form.get('phoneNumber') ?? '';
    const placed = await this.single.testCall(page, teamId, id, number, traceOf(asked));
    return typeof placed === 'string' ? new Done(form, 'calltested', `/t/${teamId}/calls/${placed}`) : placed;
  }

  @Post(':agentId/delete')
  @Needs('agents.change')
  async delete(
    @Param('teamId') teamId: string,
    @Param('agentId') id: string,
    @RequestedPage() request: PageRequest,
    @Form() form: Fields,
  ): Answer {
    const page = { ...request, self: `/t/${teamId}/agents/${id}` };
    const refused = await this.single.delete(page, teamId, id);
    return refused ?? new Done(form, 'agentdeleted', `/t/${teamId}/agents`);
  }
}
