import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { CallerNumbersPageService } from './caller-numbers-page.service.js';
import { DoNotCallPageService, type SentNumbers } from './do-not-call-page.service.js';
import { RequestedPage, Done, Form, pageAround, type PageRequest, type RefusedPage } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { NumberPageService } from './number-page.service.js';
import { PlatformPages, TeamAndPlatformPages, TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';

type Sent = ReadonlyMap<string, string>;

/** A number's history, and Do Not Call. On the platform's pages, the team is chosen first. */
@TeamAndPlatformPages('')
export class NumberPagesController {
  constructor(
    private readonly numbers: NumberPageService,
    private readonly callerNumbers: CallerNumbersPageService,
    private readonly doNotCall: DoNotCallPageService,
  ) {}

  /** A team's own numbers; with a number in the address, what was done with that number. */
  @Get('numbers')
  @Needs('read')
  number(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    const { teamId, phoneNumber } = request;
    if (teamId !== null && phoneNumber === null) return this.callerNumbers.page(request, teamId);
    return this.numbers.page(request);
  }

  @Get('do-not-call')
  @Needs('read')
  list(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.doNotCall.page(request);
  }
}

@TeamPages('do-not-call')
export class DoNotCallPagesController {
  constructor(private readonly doNotCall: DoNotCallPageService) {}

  @Post()
  @Needs('suppressions.change')
  async add(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement | Done> {
    const sent = sentNumbers(form);
    const refused = await this.doNotCall.add(teamId, sent, pageAround(form, request));
    if (refused === null) return new Done(form, 'added');
    response.status(refused.status);
    return refused.page;
  }

  @Post('remove')
  @Needs('suppressions.change')
  async remove(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    const scope = {
      scope: form.get('scope'),
      campaignId: form.get('campaignId'),
      agentId: form.get('agentId'),
    };
    await this.doNotCall.remove(teamId, form.get('phoneNumber') ?? '', scope);
    return new Done(form, 'removed');
  }
}

/** The platform's own list, which holds for every team. */
@PlatformPages('do-not-call')
export class PlatformDoNotCallPagesController {
  constructor(private readonly doNotCall: DoNotCallPageService) {}

  @Post()
  @Needs('platform.change')
  async add(
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement | Done> {
    const sent = sentNumbers(form);
    const refused = await this.doNotCall.addToPlatform(sent, pageAround(form, request));
    if (refused === null) return new Done(form, 'added');
    response.status(refused.status);
    return refused.page;
  }

  @Post('remove')
  @Needs('platform.change')
  async remove(@Form() form: Sent): Promise<Done> {
    await this.doNotCall.removeFromPlatform(form.get('phoneNumber') ?? '');
    return new Done(form, 'removed');
  }
}

function sentNumbers(form: Sent): SentNumbers {
  return {
    numbers: form.get('phoneNumbers') ?? '',
    reason: form.get('reason') ?? '',
    extent: form.get('extent') ?? '',
    purpose: form.get('purpose') ?? '',
    lastDay: form.get('lastDay') ?? '',
  };
}
