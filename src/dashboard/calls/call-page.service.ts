import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { type CallResource, CallsAdminService } from '../../calls/records/calls-admin.service.js';
import { CallsService } from '../../calls/records/calls.service.js';
import { type Resolution, RESOLUTIONS } from '../../calls/records/resolution.dto.js';
import { AppError, invalid, notFound } from '../../http/app-error.js';
import { readResultBody } from '../../http/call-result-fields.js';
import { isUuid } from '../../http/validators.js';
import { EVENTS_OF_CALL, type EventOfCall } from './call-events.sql.js';
import { type CallContext, callPage } from './call.view.js';
import { pageAt, type PageRequest, RefusedPage } from '../frame/form.js';
import { errorsOfRefusal, type FieldErrors } from '../frame/form-errors.js';
import { type ResultFormState, type TypedResult } from './result-form.view.js';
import { type PageElement } from '../../http/html-page.js';
import { resolvePage } from './resolve.view.js';
import { PageFrame } from '../frame/page-frame.service.js';

const CONTEXT = `
  SELECT r.team_id, t.name AS team, a.name AS agent, c.name AS contact, r.generation, r.phone_number,
    coalesce(r.timezone, c.timezone, a.timezone) AS zone
  FROM call_requests r
  JOIN teams t ON t.id = r.team_id
  JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
  JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
  WHERE r.id = $1 AND r.team_id = $2`;

interface ContextRow extends Omit<CallContext, 'events'> {
  phone_number: string;
}

/** One call's record, and its resolution. */
@Injectable()
export class CallPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly calls: CallsAdminService,
    private readonly ownCalls: CallsService,
    private readonly audit: AuditService,
  ) {}

  /** The team of any team's call. @throws AppError `NOT_FOUND`. */
  async teamOf(id: string): Promise<string> {
    const [row] = isUuid(id)
      ? await this.dataSource.query<{ team: string | null }[]>('SELECT team_of_call($1) AS team', [id])
      : [];
    if (!row?.team) throw notFound('Call');
    return row.team;
  }

  /** @throws AppError `NOT_FOUND`. */
  page(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    return this.shown(request, teamId, id);
  }

  /**
   * Reports the result of a call as a request with the team's key does. An opt-out is carried out even if the result is
   * refused.
   *
   * @returns null: it is stored; or the page with the form again. @throws AppError `NOT_FOUND`.
   */
  async report(
    request: PageRequest,
    teamId: string,
    id: string,
    typed: TypedResult,
  ): Promise<RefusedPage | null> {
    const refused = async (errors: FieldErrors) =>
      new RefusedPage(await this.shown(request, teamId, id, { typed, errors }));
    const disposition = typed.disposition.trim();
    if (disposition === '' && !typed.optOut)
      return refused({ disposition: 'Enter a disposition, or tick that the person opted out.' });
    try {
      const fields = { disposition: disposition === '' ? null : disposition, optOut: typed.optOut };
      await this.ownCalls.report(teamId, id, readResultBody(fields));
    } catch (error) {
      return refused(errorsOfRefusal(error, { disposition: 'Disposition' }));
    }
    const { optOut } = typed;
    await this.audit.note({
      teamId,
      action: 'call.result_reported',
      target: { type: 'call', id },
      after: { optOut },
    });
    return null;
  }

  private async shown(
    request: PageRequest,
    teamId: string,
    id: string,
    report?: ResultFormState,
  ): Promise<PageElement> {
    const context = await this.contextOf(teamId, id);
    const [frame, call, events] = await Promise.all([
      this.frames.of(request),
      this.calls.get(teamId, id),
      this.dataSource.query<EventOfCall[]>(EVENTS_OF_CALL, [teamId, context.phone_number, id]),
    ]);
    return callPage(frame, call, { ...context, events }, report);
  }

  /**
   * The confirmation page of {@link resolve}.
   *
   * @throws AppError as {@link resolve}.
   */
  async confirmation(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const outcome = knownOutcome(request.parameter('outcome'));
    const self = pageAt(request.parameter('back') ?? `/t/${teamId}/calls/${id}`);
    const [frame, call] = await Promise.all([
      this.frames.of({ ...request, self }),
      this.calls.get(teamId, id),
    ]);
    if (call.status !== 'dial_unknown') {
      throw new AppError('CONFLICT', `The call is ${call.status}; only dial_unknown can be resolved`);
    }
    return resolvePage(frame, call, outcome);
  }

  /**
   * @throws AppError `NOT_FOUND`, `INVALID_REQUEST`, or `CONFLICT` where the call is not in `dial_unknown`.
   */
  async resolve(teamId: string, id: string, outcome: string | undefined): Promise<CallResource> {
    const known = knownOutcome(outcome);
    return this.calls.resolve(teamId, id, { outcome: known });
  }

  /** @throws AppError `NOT_FOUND`; `CONFLICT` if the call is no longer pending. */
  cancel(teamId: string, id: string): Promise<CallResource> {
    return this.calls.cancel(teamId, id);
  }

  /** Ends a call in progress. @throws AppError as `HangUpsService.hangUp`. */
  hangUp(teamId: string, id: string): Promise<CallResource> {
    return this.calls.hangUp(teamId, id);
  }

  private async contextOf(teamId: string, id: string): Promise<ContextRow> {
    const [context] = isUuid(id) ? await this.dataSource.query<ContextRow[]>(CONTEXT, [id, teamId]) : [];
    if (context === undefined) throw notFound('Call');
    return context;
  }
}

function knownOutcome(outcome: string | null | undefined): Resolution['outcome'] {
  const known = RESOLUTIONS.find((resolution) => resolution === outcome);
  if (known === undefined) throw invalid(`outcome must be one of ${RESOLUTIONS.join(', ')}`);
  return known;
}
