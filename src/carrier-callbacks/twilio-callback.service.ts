import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Request } from 'express';
import { CarrierReportsService } from '../calls/dial/carrier-reports.service.js';
import { LiveCallService } from '../calls/dial/live-call.service.js';
import { type ReadReport, TwilioCallbacks } from '../carriers/twilio/twilio-callbacks.js';
import { twilioOptionsOf } from '../carriers/twilio/twilio-options.js';
import { Config } from '../config/config.js';
import { AppError, invalid, notFound } from '../http/app-error.js';
import { FailedAuthentications } from '../http/failed-authentications.js';
import { fieldOf, type FormFields, formOf } from '../http/form-body.js';
import { isUuid } from '../http/validators.js';

/** Takes what Twilio sends, once it is shown to be from Twilio, and moves calls by it. */
@Injectable()
export class TwilioCallbackService implements OnModuleDestroy {
  private readonly callbacks: TwilioCallbacks | null;

  constructor(
    private readonly reports: CarrierReportsService,
    private readonly calls: LiveCallService,
    private readonly failures: FailedAuthentications,
    config: Config,
  ) {
    const options = twilioOptionsOf(config);
    this.callbacks = options === null ? null : new TwilioCallbacks(options);
  }

  onModuleDestroy(): void {
    this.callbacks?.close();
  }

  /** @throws AppError UNAUTHORIZED, INVALID_REQUEST, NOT_FOUND for what is no call at Twilio. */
  async status(request: Request, callRequestId: string, late: boolean): Promise<{ moved: boolean }> {
    const { callbacks, form } = await this.signed(request);
    const id = knownId(callRequestId);
    return this.record(await callbacks.readStatus(id, form, late));
  }

  /** @throws as {@link status}. */
  async verdict(request: Request, callRequestId: string): Promise<{ moved: boolean }> {
    const { callbacks, form } = await this.signed(request);
    const id = knownId(callRequestId);
    return this.record(callbacks.readVerdict(id, form));
  }

  /** What is to be said in a call that is under way. @throws as {@link status}, also for a call that is over. */
  async twiml(request: Request, callRequestId: string): Promise<string> {
    const { callbacks, form } = await this.signed(request);
    const id = knownId(callRequestId);
    const callSid = fieldOf(form, 'CallSid');
    if (callSid === undefined) throw invalid('CallSid must be the SID of a call');
    const call = await this.calls.briefing('twilio', id, callSid);
    const twiml = call && (await callbacks.twiml(call.carrierSettings, { callRequestId: id, ...call }));
    if (twiml === null) throw notFound('Call');
    return twiml;
  }

  private async record(read: ReadReport): Promise<{ moved: boolean }> {
    if (!read.ok) throw invalid(read.message);
    const result = await this.reports.record('twilio', read.event);
    if (result === 'unknown') throw notFound('Call');
    return { moved: result === 'moved' };
  }

  private async signed(request: Request): Promise<{ callbacks: TwilioCallbacks; form: FormFields }> {
    const signature = request.get('x-twilio-signature');
    // Without a signature nothing of the body matters.
    if (this.callbacks === null || signature === undefined) throw this.unauthorized(request);
    const form = await formOf(request);
    if (!(await this.callbacks.isSigned(signature, request.originalUrl, form)))
      throw this.unauthorized(request);
    return { callbacks: this.callbacks, form };
  }

  /** @throws AppError `RATE_LIMITED` after too many wrong signatures from the address. */
  private unauthorized(request: Request): AppError {
    this.failures.count(request);
    return new AppError('UNAUTHORIZED', 'Invalid signature');
  }
}

/** An id of another shape names nothing. */
function knownId(callRequestId: string): string {
  if (!isUuid(callRequestId)) throw notFound('Call');
  return callRequestId.toLowerCase();
}
