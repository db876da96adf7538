import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { CarrierReportsService } from '../calls/dial/carrier-reports.service.js';
import { carrierEventFromJson } from '../carriers/event-json.js';
import { Signature } from '../carriers/http/signature.js';
import { Config } from '../config/config.js';
import { AppError, invalid, notFound } from '../http/app-error.js';
import { jsonObjectOf, rawBytesOf } from '../http/body.js';
import { FailedAuthentications } from '../http/failed-authentications.js';

/** Reports of whatever dials behind the HTTP carrier; taken only with its signature, and only of its own calls. */
@Controller('api/carriers/http/events')
export class HttpCallbackController {
  private readonly signature: Signature | null;

  constructor(
    private readonly reports: CarrierReportsService,
    private readonly failures: FailedAuthentications,
    { httpCarrierSecret }: Config,
  ) {
    this.signature = httpCarrierSecret === undefined ? null : new Signature(httpCarrierSecret);
  }

  @Post()
  @HttpCode(200)
  async post(@Req() request: Request): Promise<{ moved: boolean }> {
    await this.authenticate(request);
    const parsed = carrierEventFromJson(await jsonObjectOf(request));
    if (!parsed.ok) throw invalid(parsed.message);
    const result = await this.reports.record('http', parsed.event);
    if (result === 'unknown') throw notFound('Call');
    return { moved: result === 'moved' };
  }

  private async authenticate(request: Request): Promise<void> {
    const { headers } = request;
    const signed = this.signature !== null && Signature.isIn(headers);
    if (!signed || !this.signature?.verifies(await rawBytesOf(request), headers)) {
      this.failures.count(request);
      throw new AppError('UNAUTHORIZED', 'Invalid webhook signature');
    }
  }
}
