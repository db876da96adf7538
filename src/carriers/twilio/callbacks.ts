import { type Request, type Response } from 'express';
import { type Config } from '../../config/config.js';
import { invalid, notFound } from '../../http/app-error.js';
import { fieldOf, type FormFields, formOf } from '../../http/form-body.js';
import { UUID } from '../../domain/uuid.js';
import { type CarrierEvent } from '../carrier.js';
import { type CallbackContext, type CallbackHandler, type CarrierCallbacks } from '../callbacks.js';
import { TWILIO_ROUTES } from './callback-routes.js';
import { type ReadDetection, type ReadReport, TwilioCallbacks } from './twilio-callbacks.js';
import { type TwilioConfig } from './twilio.config.js';
import { twilioOptionsOf } from './twilio-options.js';
import { LATE_DETECTION, TWILIO_CALLBACKS_PATH } from './twilio-paths.js';

type Settings = Config & TwilioConfig;

/** Receives Twilio's requests. Each must have Twilio's signature. */
export const twilioCallbacks: CarrierCallbacks<Settings> = {
  path: TWILIO_CALLBACKS_PATH,
  routes: TWILIO_ROUTES,
  open: (context) => new TwilioHandlers(context),
};

/** Verifies Twilio's requests, records its reports and returns TwiML. */
class TwilioHandlers {
  private readonly callbacks: TwilioCallbacks | null;

  readonly routes: Record<keyof typeof TWILIO_ROUTES, CallbackHandler> = {
    status: async (request) => {
      const { callbacks, form, id } = await this.signed(request);
      const late = request.query[LATE_DETECTION.name] === LATE_DETECTION.value;
      const read = await callbacks.readStatus(id, form, late);
      return read.ok && read.isUndetected ? this.recordUndetected(read.event) : this.record(read);
    },
    detection: async (request) => {
      const { callbacks, form, id } = await this.signed(request);
      const read = callbacks.readDetection(id, form);
      const recorded = await this.record(read);
      if (!read.ok || read.outcome === null || recorded.moved) return recorded;
      const { carrierCallId, callRequestId } = read.event;
      return { moved: await this.context.reports.settleEnd({ callRequestId, carrierCallId }, read.outcome) };
    },
    twiml: (request, response) => this.twiml(request, response),
  };

  constructor(private readonly context: CallbackContext<Settings>) {
    const options = twilioOptionsOf(context.config);
    this.callbacks = options === null ? null : new TwilioCallbacks(options);
  }

  close(): void {
    this.callbacks?.close();
  }

  /**
   * The TwiML of a call that is under way.
   * @throws AppError NOT_FOUND, also for a call that has ended.
   */
  private async twiml(request: Request, response: Response): Promise<string> {
    const { callbacks, form, id } = await this.signed(request);
    const callSid = fieldOf(form, 'CallSid');
    if (callSid === undefined) throw invalid('CallSid must be the SID of a call');
    const call = await this.context.reports.briefing(id, callSid);
    const twiml = call && (await callbacks.twiml(call.carrierSettings, { callRequestId: id, ...call }));
    if (twiml === null) throw notFound('Call');
    // Sets the type only here, because a refusal is JSON.
    response.type('text/xml');
    return twiml;
  }

  /** The call's outcome is looked up until Twilio answers. */
  private async recordUndetected(event: CarrierEvent): Promise<{ moved: boolean }> {
    const result = await this.context.reports.recordUnsettledEnd(event);
    if (result === 'unknown') throw notFound('Call');
    return { moved: result === 'changed' };
  }

  private async record(read: ReadReport | ReadDetection): Promise<{ moved: boolean }> {
    if (!read.ok) throw invalid(read.message);
    const result = await this.context.reports.record(read.event);
    if (result === 'unknown') throw notFound('Call');
    return { moved: result === 'changed' };
  }

  /** @throws AppError UNAUTHORIZED, INVALID_REQUEST, or NOT_FOUND if the path contains no UUID. */
  private async signed(
    request: Request,
  ): Promise<{ callbacks: TwilioCallbacks; form: FormFields; id: string }> {
    const signature = request.get('x-twilio-signature');
    // Refuses a request without a signature before its body is read.
    if (this.callbacks === null || signature === undefined) throw this.context.unauthorized(request);
    const form = await formOf(request);
    if (!(await this.callbacks.isSigned(signature, request.originalUrl, form))) {
      throw this.context.unauthorized(request);
    }
    return { callbacks: this.callbacks, form, id: knownId(request.params.callRequestId) };
  }
}

/** @throws AppError NOT_FOUND if the id is not a UUID. */
function knownId(callRequestId: unknown): string {
  if (typeof callRequestId !== 'string' || !UUID.test(callRequestId)) throw notFound('Call');
  return callRequestId.toLowerCase();
}
