import { Get, Param, Post, Redirect } from '@nestjs/common';
import { CallPageService } from './call-page.service.js';
import { Asked, backOf, Form, type PageRequest } from './form.js';
import { type PageElement } from './render.js';
import { StaffPage } from './staff-page.decorator.js';

@StaffPage('calls')
export class CallPagesController {
  constructor(private readonly calls: CallPageService) {}

  @Get(':id')
  call(@Param('id') id: string, @Asked() request: PageRequest): Promise<PageElement> {
    return this.calls.page(request, id);
  }

  @Post(':id/resolve')
  @Redirect('', 303)
  async resolve(
    @Param('id') id: string,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<{ url: string }> {
    await this.calls.resolve(id, form.get('outcome'));
    return { url: backOf(form, 'resolved') };
  }
}
