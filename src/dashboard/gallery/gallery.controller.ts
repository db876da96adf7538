import { Get } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { RequestedPage, type PageRequest } from '../frame/form.js';
import { Pages } from '../frame/page.decorator.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { Needs } from '../frame/page-need.js';
import { galleryPage } from './gallery.view.js';

/** The components of the pages, for people who build pages. It exists in development alone. */
@Pages('design')
export class GalleryController {
  constructor(
    private readonly config: Config,
    private readonly frames: PageFrame,
  ) {}

  @Get()
  @Needs('public')
  async page(@RequestedPage() request: PageRequest): Promise<PageElement> {
    if (this.config.nodeEnv !== 'development') throw notFound('Page');
    return galleryPage(await this.frames.of(request, null));
  }
}
