import { type Request, type Response } from 'express';
import { type OperationDoc, type RouteCredentials } from '../http/openapi/operation.js';
import { type AppError } from '../http/app-error.js';
import { type CarrierCredentials, type CarrierEvent, type CarrierEventStatus } from './carrier.js';

/*
 * The routes to which carriers report. A carrier's folder declares its routes as data and handles their
 * requests. One generic module mounts and documents the routes of all carriers.
 */

/** `unknown`: the carrier has no such call. The call does not exist, or it belongs to another carrier. */
export type ReportResult = 'changed' | 'unchanged' | 'unknown';

/** The parameters of a call under way, for a carrier that requests them again. */
export interface CallBriefing {
  prompt: string;
  firstMessage: string;
  variables: Record<string, unknown>;
  /** The agent's current settings. */
  carrierSettings: Record<string, unknown>;
}

/** A carrier account as the handlers of its reports see it. */
export interface CallbackAccount {
  teamId: string;
  /** The current credentials, and for a time after a rotation the previous ones. */
  credentials: readonly CarrierCredentials[];
}

/** What a report about a call needs to know of it, also after the end of the call. */
export interface ReportedCall {
  teamId: string;
  /** The agent's current settings. */
  carrierSettings: Record<string, unknown>;
}

/** The port to the calls. Each carrier has its own port, which reaches only that carrier's calls. */
export interface CallReports {
  /**
   * Records a carrier's report.
   * @throws AppError `CONFLICT` if the call already has another result. All other parts of the report are
   *   recorded.
   */
  record(event: CarrierEvent): Promise<ReportResult>;
  /** Records the end of a call whose outcome the carrier does not report. */
  recordSilentEnd(
    call: { callRequestId: string; carrierCallId: string },
    reason: string,
  ): Promise<ReportResult>;
  /**
   * Records the end of a call whose outcome the carrier could not be asked for yet. The outcome is looked up. After
   * 15 minutes without an answer, the call ends as `completed`.
   */
  recordUnsettledEnd(event: CarrierEvent): Promise<ReportResult>;
  /** Records the outcome of a call with a pending outcome; no other call changes. @returns whether it did. */
  settleEnd(
    call: Pick<CarrierEvent, 'callRequestId' | 'carrierCallId'>,
    outcome: CarrierEventStatus,
  ): Promise<boolean>;
  /** Carries out the opt-out of an otherwise malformed report, if the carrier has the call. */
  optOut(callRequestId: string): Promise<void>;
  /** Null if the carrier has no call of this id. */
  callOf(callRequestId: string): Promise<ReportedCall | null>;
  /** Null if the carrier has no call under way with these ids. */
  briefing(callRequestId: string, carrierCallId: string): Promise<CallBriefing | null>;
}

/** The dependencies of a carrier's callback handlers. */
export interface CallbackContext<Settings> {
  config: Settings;
  reports: CallReports;
  /** The team's account of this carrier with an id; null: there is none. */
  accountOf(id: string): Promise<CallbackAccount | null>;
  /**
   * Counts a request with wrong credentials, and returns its refusal.
   *
   * @throws AppError `RATE_LIMITED` if the client's address sent too many such requests.
   */
  unauthorized: (request: Request) => AppError;
}

/** Handles one request. Returns the body of the response, which has status 200. @throws AppError */
export type CallbackHandler = (request: Request, response: Response) => Promise<unknown>;

/** A handler for each route. `close` releases what the handlers opened. */
export interface CallbackHandlers {
  routes: Record<string, CallbackHandler>;
  close?(): void;
}

/** A `POST` route and its documentation. */
export interface CallbackRoute extends OperationDoc {
  /**
   * The path below the carrier's own path, such as `status/:callRequestId`; empty for the carrier's own path
   * itself.
   */
  path: string;
}

/** The path of the route for the reports of a team's own account, below the carrier's own path. */
export const ACCOUNT_REPORTS = 'accounts/:accountId';

/**
 * The address of {@link ACCOUNT_REPORTS} for an account.
 *
 * @param publicUrl the deployment's public URL, without a slash at its end.
 * @param path the carrier's own path.
 */
export function accountReportUrl(publicUrl: string, path: string, accountId: string): string {
  return `${publicUrl}/${path}/${ACCOUNT_REPORTS.replace(':accountId', accountId)}`;
}

export interface CarrierCallbacks<Settings> {
  /** The carrier's own path, such as `api/carriers/acme`. */
  path: string;
  /** The routes, each by the name of its handler. */
  routes: Record<string, CallbackRoute>;
  /** Whether the routes exist in this deployment; absent: they always exist. */
  exist?(config: Settings): boolean;
  open(context: CallbackContext<Settings>): CallbackHandlers;
}

/** The credentials of a carrier's requests. */
export type CallbackCredentials = RouteCredentials;
