import { Controller, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { type Request } from 'express';
import { LATE_VERDICT, TWILIO_CALLBACKS_PATH } from '../carriers/twilio/twilio-paths.js';
import { TwilioCallbackService } from './twilio-callback.service.js';

/** Where Twilio reports what became of a call, who answered it, and asks what to say. Signed by Twilio. */
@Controller(TWILIO_CALLBACKS_PATH)
export class TwilioCallbackController {
  constructor(private readonly callbacks: TwilioCallbackService) {}

  @Post('status/:callRequestId')
  @HttpCode(200)
  status(
    @Req() request: Request,
    @Param('callRequestId') callRequestId: string,
    @Query(LATE_VERDICT.name) amd: unknown,
  ): Promise<{ moved: boolean }> {
    return this.callbacks.status(request, callRequestId, amd === LATE_VERDICT.value);
  }

  @Post('amd/:callRequestId')
  @HttpCode(200)
  verdict(
    @Req() request: Request,
    @Param('callRequestId') callRequestId: string,
  ): Promise<{ moved: boolean }> {
    return this.callbacks.verdict(request, callRequestId);
  }

  @Post('twiml/:callRequestId')
  @HttpCode(200)
  @Header('Content-Type', 'text/xml; charset=utf-8')
  twiml(@Req() request: Request, @Param('callRequestId') callRequestId: string): Promise<string> {
    return this.callbacks.twiml(request, callRequestId);
  }
}
