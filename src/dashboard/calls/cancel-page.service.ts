import { Injectable } from '@nestjs/common';
import { type CancelCalls, type Cancellations } from '../../calls/records/cancel-calls.dto.js';
import { CallsAdminService } from '../../calls/records/calls-admin.service.js';
import { isPending, PENDING_STATES } from '../../domain/call-states.js';
import { invalid } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { isUuid } from '../../http/validators.js';
import { type SentCallFilters } from './call-filters.js';
import { cancelPage } from './cancel.view.js';
import { pageAt, type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';

/** The filters of the list by which pending calls can be canceled. */
const CANCELABLE_BY = ['status', 'agentId', 'phoneNumber'] as const;

/**
 * Whether the calls of a list can be canceled by its filters: all of them are pending, and no other filter
 * narrows the list.
 */
export function canBeCanceled(sent: SentCallFilters): boolean {
  const by: readonly string[] = CANCELABLE_BY;
  const status = PENDING_STATES.find((state) => state === sent.status);
  return status !== undefined && isPending(status) && Object.keys(sent).every((name) => by.includes(name));
}

/** Cancels the calls of a list. The count of the calls comes first. */
@Injectable()
export class CancelPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly calls: CallsAdminService,
  ) {}

  /** @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` for the filters. */
  async page(request: PageRequest): Promise<PageElement> {
    const self = pageAt(request.parameter('back') ?? `/t/${request.teamId ?? ''}/calls`);
    const sent = new Map(CANCELABLE_BY.map((name) => [name, valueOf(request, name)]));
    const frame = await this.frames.of({ ...request, self });
    if (frame.team === null) throw invalid('Choose a team first');
    const which = whichOf(sent);
    const { matching } = await this.calls.cancelMatching(frame.team.id, { ...which, dryRun: true });
    return cancelPage(frame, { team: frame.team, which, matching });
  }

  /** @throws AppError as {@link page}. */
  cancel(teamId: string, form: ReadonlyMap<string, string>): Promise<Cancellations> {
    return this.calls.cancelMatching(teamId, whichOf(form));
  }
}

function valueOf(request: PageRequest, name: (typeof CANCELABLE_BY)[number]): string {
  return (name === 'phoneNumber' ? request.phoneNumber : request.parameter(name)) ?? '';
}

function whichOf(sent: ReadonlyMap<string, string>): CancelCalls {
  const status = PENDING_STATES.find((state) => state === sent.get('status'));
  if (status === undefined) throw invalid(`status must be one of ${PENDING_STATES.join(', ')}`);
  const agentId = sent.get('agentId') || undefined;
  if (agentId !== undefined && !isUuid(agentId)) throw invalid('agentId must be the id of a voice agent');
  return { status, agentId, phoneNumber: sent.get('phoneNumber') || undefined };
}
