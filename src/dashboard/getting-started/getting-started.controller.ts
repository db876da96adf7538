import { Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { isHttps } from '../../http/https.js';
import { type PageElement } from '../../http/html-page.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { Done, Form, pageAround, type PageRequest, RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { GettingStartedService } from './getting-started.service.js';
import { type StepName } from './getting-started.view.js';

type Sent = ReadonlyMap<string, string>;
type Answer = Promise<PageElement | Done | RefusedPage>;

const HOST = /^[\w.:[\]-]+$/;

/** The steps to a team's first call, each with its form. */
@TeamPages('getting-started')
export class GettingStartedController {
  constructor(private readonly steps: GettingStartedService) {}

  @Get()
  @Needs('read')
  page(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.steps.page(request, teamId);
  }

  @Post('place')
  @Needs('settings.change')
  place(@Param('teamId') teamId: string, @Form() form: Sent, @RequestedPage() request: PageRequest): Answer {
    return this.step(teamId, form, request, 'place', () => this.steps.setPlace(teamId, form));
  }

  @Post('number')
  @Needs('numbers.change')
  number(@Param('teamId') teamId: string, @Form() form: Sent, @RequestedPage() request: PageRequest): Answer {
    return this.step(teamId, form, request, 'number', () => this.steps.addNumber(teamId, form));
  }

  @Post('agent')
  @Needs('agents.change')
  agent(@Param('teamId') teamId: string, @Form() form: Sent, @RequestedPage() request: PageRequest): Answer {
    return this.step(teamId, form, request, 'agent', () => this.steps.makeAgent(teamId, form));
  }

  @Post('call')
  @Needs('calls.change')
  async call(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
    @Req() asked: Request,
  ): Answer {
    try {
      const id = await this.steps.placeCall(teamId, form, traceOf(asked));
      return new Done(form, 'calltested', `/t/${teamId}/getting-started?call=${id}#step-call`);
    } catch (error) {
      return this.refused(teamId, form, request, 'call', error);
    }
  }

  /** The key is shown in this answer only, so it is the page itself and no redirect. */
  @Post('key')
  @Needs('keys')
  async key(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
    @Req() asked: Request,
    @Res({ passthrough: true }) response: Response,
  ): Answer {
    const page = pageAround(form, request);
    try {
      const made = await this.steps.makeKey(teamId, form, originOf(asked));
      response.status(200);
      return await this.steps.page(page, teamId, { made });
    } catch (error) {
      return this.refused(teamId, form, request, 'key', error);
    }
  }

  private async step(
    teamId: string,
    form: Sent,
    request: PageRequest,
    name: StepName,
    make: () => Promise<void>,
  ): Answer {
    try {
      await make();
      return new Done(form, 'stepdone', `/t/${teamId}/getting-started`);
    } catch (error) {
      return this.refused(teamId, form, request, name, error);
    }
  }

  private async refused(
    teamId: string,
    form: Sent,
    request: PageRequest,
    step: StepName,
    error: unknown,
  ): Promise<RefusedPage> {
    const page = pageAround(form, request);
    return new RefusedPage(await this.steps.refused(page, teamId, { step, sent: form, error }));
  }
}

/** The address at which the browser reached this deployment. */
function originOf(request: Request): string {
  const { host = '' } = request.headers;
  return `${isHttps(request) ? 'https' : 'http'}://${HOST.test(host) ? host : 'localhost'}`;
}
