import { Get, Headers, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type PageElement } from '../../http/html-page.js';
import { type PageRequest, RequestedPage } from '../frame/form.js';
import { TeamAndPlatformPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { SearchService } from './search.service.js';

/** The search of a team, and across teams. */
@TeamAndPlatformPages('search')
export class SearchPagesController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @Needs('read')
  async search(
    @RequestedPage() request: PageRequest,
    @Headers('hx-request') byScript: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement | undefined> {
    const found = await this.searches.find(request, byScript !== undefined);
    if (!('url' in found)) return found;
    response.status(303).location(found.url);
    return undefined;
  }
}
