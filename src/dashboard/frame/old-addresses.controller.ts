import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { notFound } from '../../http/app-error.js';
import { setPrivate } from '../../http/page-headers.js';
import { addressToday } from './old-address.js';

/** Leads from the addresses that the pages had to those that they have. It tells nothing, so it needs no session. */
@Controller('admin')
export class OldAddressesController {
  @Get(['', '*address'])
  page(@Req() request: Request, @Res() response: Response): void {
    const [path = '', ...rest] = request.originalUrl.split('?');
    const search = rest.length === 0 ? '' : `?${rest.join('?')}`;
    const address = addressToday(path.slice('/admin'.length).replace(/\/$/, ''), search);
    if (address === null) throw notFound('Page');
    setPrivate(response);
    response.status(308).location(address).end();
  }
}
