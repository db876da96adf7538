import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type CallResource, CallsAdminService } from '../../calls/records/calls-admin.service.js';
import { RESOLUTIONS } from '../../calls/records/resolution.dto.js';
import { invalid, notFound } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { type CallContext, callPage } from './call.view.js';
import { type PageRequest } from './form.js';
import { type PageElement } from './render.js';
import { PageFrame } from './page-frame.service.js';

const CONTEXT = `
  SELECT r.team_id, t.name AS team, a.name AS agent, c.name AS contact, r.generation
  FROM call_requests r
  JOIN teams t ON t.id = r.team_id
  JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
  JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
  WHERE r.id = $1`;

/** One call's record, and what staff can do about it. */
@Injectable()
export class CallPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly calls: CallsAdminService,
  ) {}

  /** @throws AppError `NOT_FOUND`. */
  async page(request: PageRequest, id: string): Promise<PageElement> {
    const context = await this.contextOf(id);
    const [frame, call] = await Promise.all([
      this.frames.of(request, context.team_id),
      this.calls.get(context.team_id, id),
    ]);
    return callPage(frame, call, context);
  }

  /** @throws AppError `NOT_FOUND`, `INVALID_REQUEST`, or `CONFLICT` when somebody else was quicker. */
  async resolve(id: string, outcome: string | undefined): Promise<CallResource> {
    const known = RESOLUTIONS.find((resolution) => resolution === outcome);
    if (known === undefined) throw invalid(`outcome must be one of ${RESOLUTIONS.join(', ')}`);
    const { team_id: teamId } = await this.contextOf(id);
    return this.calls.resolve(teamId, id, { outcome: known });
  }

  private async contextOf(id: string): Promise<CallContext> {
    const [context] = isUuid(id) ? await this.dataSource.query<CallContext[]>(CONTEXT, [id]) : [];
    if (context === undefined) throw notFound('Call');
    return context;
  }
}
