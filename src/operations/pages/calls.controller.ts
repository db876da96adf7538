import { Get, Param, Post } from '@nestjs/common';
import { CallPageService } from './call-page.service.js';
import { Asked, Done, Form, type PageRequest } from './form.js';
import { type PageElement } from '../../http/html-page.js';
import { StaffPage } from './staff-page.decorator.js';

@StaffPage('calls')
export class CallPagesController {
  constructor(private readonly calls: CallPageService) {}

  @Get(':id')
  call(@Param('id') id: string, @Asked() request: PageRequest): Promise<PageElement> {
    return this.calls.page(request, id);
  }

  @Get(':id/resolve')
  confirmation(@Param('id') id: string, @Asked() request: PageRequest): Promise<PageElement> {
    return this.calls.confirmation(request, id);
  }

  @Post(':id/resolve')
  async resolve(@Param('id') id: string, @Form() form: ReadonlyMap<string, string>): Promise<Done> {
    await this.calls.resolve(id, form.get('outcome'));
    return new Done(form, 'resolved');
  }
}
