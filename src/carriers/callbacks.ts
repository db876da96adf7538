import { type Request, type Response } from 'express';
import { type OperationDoc, type RouteCredentials } from '../http/openapi/operation.js';
import { type AppError } from '../http/app-error.js';
import { type CarrierEvent } from './carrier.js';

/*
 * Where carriers report. A carrier's folder declares its routes as data, and handles what arrives there; one
 * generic module mounts the routes of every carrier and documents them.
 */

/** `unknown`: the carrier has no such call, whether there is none or it is another carrier's. */
export type ReportResult = 'moved' | 'unchanged' | 'unknown';

/** What a carrier may need again of a call that it has under way. */
export interface CallBriefing {
  prompt: string;
  firstMessage: string;
  variables: Record<string, unknown>;
  /** The agent's, as they are now. */
  carrierSettings: Record<string, unknown>;
}

/** The port to the calls. Each carrier has its own, and reaches its own calls only. */
export interface CallReports {
  /**
   * Records a carrier's report.
   * @throws AppError `CONFLICT` if it reported another result before; the rest is recorded.
   */
  record(event: CarrierEvent): Promise<ReportResult>;
  /** Records the end of a call whose outcome the carrier does not report. */
  recordSilentEnd(
    call: { callRequestId: string; carrierCallId: string },
    reason: string,
  ): Promise<ReportResult>;
  /** Carries out the opt-out of a report that is malformed otherwise, where the carrier has the call. */
  optOut(callRequestId: string): Promise<void>;
  /** Null where the carrier has no such call under this id. */
  briefing(callRequestId: string, carrierCallId: string): Promise<CallBriefing | null>;
}

/** What the handlers of a carrier's callbacks work with. */
export interface CallbackContext<Settings> {
  config: Settings;
  reports: CallReports;
  /**
   * The refusal of a request with wrong credentials, which it counts.
   *
   * @throws AppError `RATE_LIMITED` where the client's address sent too many of these.
   */
  unauthorized: (request: Request) => AppError;
}

/** Handles one request. The result is the body of the response, with status 200. @throws AppError */
export type CallbackHandler = (request: Request, response: Response) => Promise<unknown>;

/** A handler for each route; `close` ends what they opened. */
export interface CallbackHandlers {
  routes: Record<string, CallbackHandler>;
  close?(): void;
}

/** A route that takes `POST`, and its documentation. */
export interface CallbackRoute extends OperationDoc {
  /** Below the carrier's own path, such as `status/:callRequestId`; empty: that path itself. */
  path: string;
}

export interface CarrierCallbacks<Settings> {
  /** Such as `api/carriers/acme`. */
  path: string;
  /** By the handler's name. */
  routes: Record<string, CallbackRoute>;
  /** Whether the routes exist in this deployment; left out: always. */
  exist?(config: Settings): boolean;
  open(context: CallbackContext<Settings>): CallbackHandlers;
}

/** The credentials of a carrier's requests. */
export type CallbackCredentials = RouteCredentials;
