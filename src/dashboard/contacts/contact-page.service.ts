import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { ExplainService } from '../../calls/explain/explain.service.js';
import { NO_FILTERS, OperatorCallList } from '../../calls/records/operator-list.service.js';
import { TestCallsService } from '../../calls/trigger/test-calls.service.js';
import { ConsentsService } from '../../consents/consents.service.js';
import { ContactsService, type ContactView } from '../../contacts/contacts.service.js';
import { ContactExportService } from '../../erasure/contact-export.service.js';
import { AppError } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { isUuid } from '../../http/validators.js';
import { DoNotCallService } from '../../suppression/do-not-call.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { AGENT_NAMED, AGENTS_OF_TEAM, type NamedRow } from '../calls/call-list-page.sql.js';
import {
  ENROLLMENTS_OF_NUMBER,
  type EnrollmentOfNumberRow,
} from '../enrollments/enrollments-of-number.sql.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, type Frame, PageFrame } from '../frame/page-frame.service.js';
import { type AskedCall } from './call-now.view.js';
import { contactPage, type ShownContact } from './contact.view.js';
import { placeOfPerson } from './place.js';

const MOST_CALLS = 10;
const MOST_CONSENTS = 10;
const UNKNOWN_AGENT = 'agent must be a voice agent of the team';
/** What the audit log calls the key of a call from a person's page. */
const KEY_NAME = 'Call of the dashboard';

/** A person's page: what is stored, whether an agent may call now, and the call. */
@Injectable()
export class ContactPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly contacts: ContactsService,
    private readonly doNotCall: DoNotCallService,
    private readonly consents: ConsentsService,
    private readonly calls: OperatorCallList,
    private readonly explaining: ExplainService,
    private readonly placing: TestCallsService,
    private readonly exports: ContactExportService,
    private readonly audit: AuditService,
  ) {}

  /** @throws AppError `NOT_FOUND` for the contact. */
  async page(request: PageRequest, teamId: string, contactId: string): Promise<PageElement | RefusedPage> {
    const contact = await this.contacts.get(teamId, contactId);
    return this.around(await this.frames.of(request), teamId, contact, request.parameter('agent'));
  }

  /**
   * Places a call to the contact, by the same rules as every triggered call.
   *
   * @returns the id of the call, or the page with the reason of the refusal.
   * @throws AppError `NOT_FOUND` for the contact.
   */
  async call(
    request: PageRequest,
    teamId: string,
    { contactId, agentId, trace }: { contactId: string; agentId: string; trace: RequestTrace },
  ): Promise<string | RefusedPage> {
    const contact = await this.contacts.get(teamId, contactId);
    const frame = await this.frames.of(request);
    const agent = await this.agentOf(teamId, agentId);
    const refused = async (problem: string, chosen: string | null) =>
      new RefusedPage(pageOf(await this.around({ ...frame, problem }, teamId, contact, chosen)));
    if (agent === null) return refused(UNKNOWN_AGENT, null);
    const result = await this.placing.place(teamId, agent.id, contact.phoneNumber, trace, KEY_NAME);
    if (result.kind === 'accepted') return result.callRequestId;
    if (result.kind === 'replayed') throw new Error('The call has no idempotency key');
    return refused(`The call was not placed: ${result.message}`, agent.id);
  }

  /**
   * The pieces of a JSON object with all that is stored of the contact. The audit log has the export.
   *
   * @throws AppError `NOT_FOUND` before the first piece.
   */
  async export(teamId: string, contactId: string): Promise<AsyncIterable<string>> {
    const pieces = await this.exports.export(teamId, contactId);
    const target = { type: 'contact', id: contactId };
    await this.audit.note({ teamId, action: 'contact.exported', target });
    return pieces;
  }

  /** The page in a frame, whose problem is that of a refused call. @param chosen the agent; null: none is chosen. */
  private async around(
    frame: Frame,
    teamId: string,
    contact: ContactView,
    chosen: string | null,
  ): Promise<PageElement | RefusedPage> {
    const [shown, asked] = await Promise.all([
      this.shown(teamId, contact),
      this.asked(teamId, contact, chosen),
    ]);
    const isUnknown = chosen !== null && asked.agent === null;
    const told = frame.problem === null && isUnknown ? { ...frame, problem: UNKNOWN_AGENT } : frame;
    return answerOf(told, contactPage(told, shown, asked));
  }

  private async shown(teamId: string, contact: ContactView): Promise<ShownContact> {
    const { phoneNumber } = contact;
    const team = await this.teams.find(teamId);
    const [entry, consents, enrollments, calls] = await Promise.all([
      this.entryOf(teamId, phoneNumber),
      this.consents.list(team, listPage(MOST_CONSENTS, null, { phoneNumber })),
      this.dataSource.query<EnrollmentOfNumberRow[]>(ENROLLMENTS_OF_NUMBER, [teamId, phoneNumber]),
      this.calls.list({ ...NO_FILTERS, teamId, phoneNumber }, { limit: MOST_CALLS, after: null }),
    ]);
    const place = placeOfPerson(phoneNumber, contact.timezone, team.defaultCountry);
    return { contact, place, entry, consents, enrollments, calls };
  }

  private async entryOf(teamId: string, phoneNumber: string): Promise<ShownContact['entry']> {
    return this.doNotCall.get(teamId, phoneNumber).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
  }

  /** The dry run for the chosen agent, or for the only one of the team. */
  private async asked(teamId: string, contact: ContactView, chosen: string | null): Promise<AskedCall> {
    const agents = await this.dataSource.query<NamedRow[]>(AGENTS_OF_TEAM, [teamId]);
    const only = agents.length === 1 ? agents[0]?.id : undefined;
    const agentId = chosen ?? only ?? null;
    const agent =
      agentId === null
        ? null
        : (agents.find(({ id }) => id === agentId) ?? (await this.agentOf(teamId, agentId)));
    if (agent === null) return { agents, agent, result: null };
    const listed = agents.some(({ id }) => id === agent.id) ? agents : [agent, ...agents];
    const team = await this.teams.find(teamId);
    return {
      agents: listed,
      agent,
      result: await this.explaining.explainOf(team, agent.id, contact.phoneNumber),
    };
  }

  private async agentOf(teamId: string, id: string): Promise<NamedRow | null> {
    if (!isUuid(id)) return null;
    const [agent] = await this.dataSource.query<NamedRow[]>(AGENT_NAMED, [id, teamId]);
    return agent ?? null;
  }
}

const pageOf = (answer: PageElement | RefusedPage): PageElement =>
  answer instanceof RefusedPage ? answer.page : answer;
