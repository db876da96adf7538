import { Get, Param, Post, Redirect, Res } from '@nestjs/common';
import { type Response } from 'express';
import { DoNotCallPageService } from './do-not-call-page.service.js';
import { Asked, backOf, Form, pageAround, type PageRequest } from './form.js';
import { type PageElement } from './render.js';
import { NumberPageService } from './number-page.service.js';
import { StaffPage } from './staff-page.decorator.js';

type Sent = ReadonlyMap<string, string>;

@StaffPage()
export class NumberPagesController {
  constructor(
    private readonly numbers: NumberPageService,
    private readonly doNotCall: DoNotCallPageService,
  ) {}

  @Get('numbers')
  number(@Asked() request: PageRequest): Promise<PageElement> {
    return this.numbers.page(request);
  }

  @Get('do-not-call')
  list(@Asked() request: PageRequest): Promise<PageElement> {
    return this.doNotCall.page(request);
  }

  @Post('teams/:teamId/do-not-call')
  async add(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @Asked() { formToken }: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement | undefined> {
    const sent = { numbers: form.get('phoneNumbers') ?? '', reason: form.get('reason') ?? '' };
    const rejected = await this.doNotCall.add(teamId, sent, pageAround(form, formToken));
    if (rejected === null) response.status(303).location(backOf(form, 'added'));
    else response.status(200);
    return rejected ?? undefined;
  }

  @Post('teams/:teamId/do-not-call/remove')
  @Redirect('', 303)
  async remove(@Param('teamId') teamId: string, @Form() form: Sent): Promise<{ url: string }> {
    await this.doNotCall.remove(teamId, form.get('phoneNumber') ?? '');
    return { url: backOf(form, 'removed') };
  }
}
