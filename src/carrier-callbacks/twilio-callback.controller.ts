import { Controller, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
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
  async twiml(
    @Req() request: Request,
    @Param('callRequestId') callRequestId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const twiml = await this.callbacks.twiml(request, callRequestId);
    // Not before there is some: a refusal is JSON.
    response.type('text/xml');
    return twiml;
  }
}
