import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { CarrierReportsService, type ReportResult } from '../calls/dial/carrier-reports.service.js';
import {
  type LiveKitReport,
  LiveKitWebhooks,
  WEBHOOK_CONTENT_TYPE,
} from '../carriers/livekit/livekit-webhooks.js';
import { Config } from '../config/config.js';
import { AppError, invalid } from '../http/app-error.js';
import { bytesOf } from '../http/body.js';
import { FailedAuthentications } from '../http/failed-authentications.js';

/** LiveKit's webhooks. Taken once it is configured, and only with LiveKit's signature of exactly this body. */
@Controller('api/carriers/livekit/webhook')
export class LiveKitWebhookController {
  private readonly webhooks: LiveKitWebhooks | null;

  constructor(
    private readonly reports: CarrierReportsService,
    private readonly failures: FailedAuthentications,
    config: Config,
  ) {
    const { livekitApiKey, livekitApiSecret } = config;
    const configured = livekitApiKey !== undefined && livekitApiSecret !== undefined;
    this.webhooks = configured ? new LiveKitWebhooks(livekitApiKey, livekitApiSecret) : null;
  }

  @Post()
  @HttpCode(200)
  async post(@Req() request: Request): Promise<{ moved: boolean }> {
    // The digest of the whole body is what is signed, so that its size goes before its signature.
    const bytes = await bytesOf(request);
    const read = (await this.webhooks?.read(bytes, request.headers.authorization)) ?? 'forged';
    if (read === 'forged') {
      this.failures.count(request);
      throw new AppError('UNAUTHORIZED', 'Invalid webhook signature');
    }
    if (!request.is(WEBHOOK_CONTENT_TYPE)) throw invalid(`Content-Type must be ${WEBHOOK_CONTENT_TYPE}`);
    if (read === 'malformed') throw invalid('The body is not a webhook event of LiveKit');
    return { moved: (await this.record(read)) === 'moved' };
  }

  private record(report: LiveKitReport): Promise<ReportResult> {
    switch (report.kind) {
      case 'event':
        return this.reports.record('livekit', report.event);
      case 'room_finished': {
        const call = { callRequestId: report.callRequestId, carrierCallId: report.room };
        return this.reports.recordSilentEnd('livekit', call, 'livekit_room_finished');
      }
      case 'ignored':
        return Promise.resolve('unchanged');
    }
  }
}
