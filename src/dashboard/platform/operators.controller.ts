import { Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { type PageElement } from '../../http/html-page.js';
import { originOf } from '../../http/own-origin.js';
import { Done, Form, type PageRequest, RequestedPage, type RefusedPage } from '../frame/form.js';
import { PlatformPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { OperatorsPageService } from './operators-page.service.js';

@PlatformPages('operators')
export class OperatorPagesController {
  constructor(private readonly operators: OperatorsPageService) {}

  @Get()
  @Needs('operators')
  page(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.operators.page(request);
  }

  /** The answer shows the link, so it is a page and no redirect. */
  @Post()
  @HttpCode(200)
  @Needs('operators')
  invite(
    @RequestedPage() requested: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
    @Req() request: Request,
  ): Promise<PageElement | RefusedPage> {
    return this.operators.invite(requested, form.get('email') ?? '', originOf(request));
  }

  @Post(':userId/remove')
  @Needs('operators')
  async remove(@Param('userId') userId: string, @Form() form: ReadonlyMap<string, string>): Promise<Done> {
    await this.operators.remove(userId);
    return new Done(form, 'operatorremoved');
  }
}
