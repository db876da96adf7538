import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { PackVersions } from '../../compliance/pack-versions.service.js';
import { complianceView } from '../../domain/compliance/view.js';
import { AuditService } from '../../audit/audit.service.js';
import { jsonBytesOf, readPage } from '../../lists/keyset.js';
import { type CallState, isPending } from '../../domain/call-states.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { AppError, notFound } from '../../http/app-error.js';
import { FilterReader } from '../../http/filters.js';
import { encodeCursor, type Page, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { parseSoughtNumber } from '../../domain/sought-number.js';
import { type TeamOfNumbers } from '../../teams/own-team.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type CancelCalls, type Cancellations } from './cancel-calls.dto.js';
import { HangUpsService } from './hang-ups.service.js';
import { CancellationsService } from './cancellations.service.js';
import { CallRequest } from '../../dialing/call-request.entity.js';
import { CALL_FILTERS, type CallFilter } from './call-filters.js';
import { type CallView } from './calls.service.js';
import { decisionsOf } from '../../dialing/facts/details.sql.js';
import { type CallDetailsRow, DETAILS_OF_CALL, IDS_OF_CALLS, type IdsOfCall } from './read.sql.js';
import { NO_FILTERS, type OperatorCallFilters } from './operator-filters.js';
import { OperatorCallList } from './operator-list.service.js';
import { OutcomeService } from '../../dialing/outcome/outcome.service.js';
import { type Resolution } from './resolution.dto.js';

/**
 * A call as operators see it: what the team sees, and its claim, carrier and decisions. Instants are ISO 8601
 * in UTC.
 */
export interface CallResource extends CallView {
  id: string;
  teamId: string;
  variables: Record<string, unknown>;
  /** Since when the call is due and waits for a concurrency slot. */
  waitingForLineSince: string | null;
  /**
   * The last wake-up of a pending call, or its next one after its carrier was unreachable or throttled it. Null
   * if the call is not pending.
   */
  wokenAt: string | null;
  claimedAt: string | null;
  processedAt: string | null;
  carrier: string | null;
  carrierCallId: string | null;
  decisions: unknown[];
}

/** The fields of a call that may be large. {@link CallsAdminService.list} does not read them. */
const LARGE = ['variables', 'prompt', 'firstMessage', 'decisions'] as const;

/** A call in a list. {@link CallsAdminService.get} has the other fields. */
export type CallListItem = Omit<CallResource, (typeof LARGE)[number] | 'result'>;
/** A call of a number's history, with its decisions. */
export type CallOfNumber = CallListItem & Pick<CallResource, 'decisions'>;

/** Reads and resolves one team's calls for operators. */
@Injectable()
export class CallsAdminService {
  private readonly calls: Repository<CallRequest>;

  constructor(
    dataSource: DataSource,
    private readonly teams: TeamsService,
    private readonly outcomes: OutcomeService,
    private readonly lists: OperatorCallList,
    private readonly cancellations: CancellationsService,
    private readonly hangUps: HangUpsService,
    private readonly audit: AuditService,
    private readonly packVersions: PackVersions,
  ) {
    this.calls = dataSource.getRepository(CallRequest);
  }

  /**
   * The team's calls, the newest first. A page may have fewer items than asked for, or none, although it has
   * a `nextCursor`: a walk reads a bounded number of calls.
   *
   * @throws AppError `NOT_FOUND` for the team, or `INVALID_REQUEST` naming the parameters.
   */
  async list(teamId: string, request: PageRequest<CallFilter>): Promise<Page<CallListItem>> {
    return this.page(teamId, request, {}, listItemOf);
  }

  /** Like {@link list}, with decisions, for the history of a number. @throws AppError as {@link list}. */
  async listWithDecisions(teamId: string, request: PageRequest<CallFilter>): Promise<Page<CallOfNumber>> {
    const itemOf = (row: CallRequest, ids: IdsOfCall) => ({
      ...listItemOf(row, ids),
      decisions: row.decisions,
    });
    return this.page(teamId, request, { decisions: decisionsOf('c') }, itemOf);
  }

  private async page<Item>(
    teamId: string,
    request: PageRequest<CallFilter>,
    large: Partial<Record<(typeof LARGE)[number], string>>,
    itemOf: (row: CallRequest, ids: IdsOfCall) => Item,
  ): Promise<Page<Item>> {
    const team = await this.teams.find(teamId);
    const { positions, next } = await this.lists.positions(filtersOf(team, request), request);
    const nextCursor = next === null ? null : encodeCursor([next.at, next.key]);
    if (positions.length === 0) return { items: [], nextCursor };
    const unread: readonly string[] = LARGE;
    const read = this.calls.metadata.columns.filter(({ propertyName }) => !unread.includes(propertyName));
    const query = this.calls
      .createQueryBuilder('c')
      .select(read.map(({ propertyName }) => `c.${propertyName}`))
      .where('c.id = ANY(:ids)', { ids: positions.map(({ key }) => key) })
      .orderBy('c.acceptedAt', 'DESC')
      .addOrderBy('c.id', 'DESC');
    for (const [property, sql] of Object.entries(large)) query.addSelect(sql, `c_${property}`);
    const bytes = [
      jsonBytesOf<CallRequest>('c', 'history', 'unknownPlaceholders'),
      ...Object.values(large).map((sql) => `octet_length(CAST(${sql} AS text))`),
    ].join(' + ');
    const keys = positions.map(({ key }) => key);
    const ids = await this.calls.query<(IdsOfCall & { id: string })[]>(IDS_OF_CALLS, [keys]);
    const idsOf = new Map(ids.map((row) => [row.id, row]));
    const exact = new Map(positions.map(({ at, key }) => [key, at]));
    const keyOf = (row: CallRequest) => [exact.get(row.id) ?? '', row.id];
    const page = await readPage(
      query,
      { ...request, limit: positions.length },
      keyOf,
      (row) => itemOf(row, idsOf.get(row.id) ?? NO_IDS),
      bytes,
    );
    return { ...page, nextCursor: page.nextCursor ?? nextCursor };
  }

  /** @throws AppError `NOT_FOUND` for the team or the call. */
  async get(teamId: string, id: string): Promise<CallResource> {
    await this.teams.find(teamId);
    const row = isUuid(id) ? await this.calls.findOneBy({ teamId, id }) : null;
    if (row === null) throw notFound('Call');
    const [details] = await this.calls.query<[CallDetailsRow]>(DETAILS_OF_CALL, [id]);
    return { ...resourceOf(row, details), decisions: await this.withTexts(details.decisions) };
  }

  /** The decisions as they are stored. @throws AppError `NOT_FOUND` for the team or the call. */
  async storedDecisions(teamId: string, id: string): Promise<unknown[]> {
    await this.teams.find(teamId);
    const row = isUuid(id) ? await this.calls.findOneBy({ teamId, id }) : null;
    if (row === null) throw notFound('Call');
    const [details] = await this.calls.query<[CallDetailsRow]>(DETAILS_OF_CALL, [id]);
    return details.decisions;
  }

  /** The decisions with the texts of the rules of packs, as they were when it was decided. */
  private withTexts(decisions: readonly unknown[]): Promise<unknown[]> {
    const told = decisions.map(async (decision) => {
      const { compliance } = (decision ?? {}) as Partial<Decision>;
      if (compliance === undefined) return decision;
      const packs = await this.packVersions.find(compliance.packs);
      return { ...(decision as Decision), compliance: complianceView(compliance, packs) };
    });
    return Promise.all(told);
  }

  /** Ends a pending call. @throws AppError `NOT_FOUND`; `CONFLICT` if the call is no longer pending. */
  async cancel(teamId: string, id: string): Promise<CallResource> {
    await this.teams.find(teamId);
    await this.cancellations.cancel(teamId, id, 'canceled_by_operator');
    return this.get(teamId, id);
  }

  /** Ends a call in progress. @throws AppError as {@link HangUpsService.hangUp}. */
  async hangUp(teamId: string, id: string): Promise<CallResource> {
    await this.teams.find(teamId);
    await this.hangUps.hangUp(teamId, id);
    return this.get(teamId, id);
  }

  /** Cancels or counts the pending calls that match. @throws AppError as the service. */
  cancelMatching(teamId: string, which: CancelCalls): Promise<Cancellations> {
    return this.cancellations.cancelMatching(teamId, which);
  }

  /**
   * Records the outcome that an operator found out for a call in `dial_unknown`.
   *
   * @throws AppError `NOT_FOUND`, or `CONFLICT` when the call is not in `dial_unknown`.
   */
  async resolve(teamId: string, id: string, { outcome }: Resolution): Promise<CallResource> {
    await this.get(teamId, id);
    const changed = await this.outcomes.apply(id, {
      to: outcome,
      cause: 'resolved_by_operator',
      from: ['dial_unknown'],
    });
    if (changed) {
      const target = { type: 'call', id };
      await this.audit.note({ teamId, action: 'call.resolved', target, after: { outcome } });
    }
    const call = await this.get(teamId, id);
    if (!changed)
      throw new AppError('CONFLICT', `The call is ${call.status}; only dial_unknown can be resolved`);
    return call;
  }
}

/** @throws AppError `INVALID_REQUEST` naming every malformed filter. */
function filtersOf(team: TeamOfNumbers, request: PageRequest<CallFilter>): OperatorCallFilters {
  const read = new FilterReader(CALL_FILTERS, request);
  const { phoneNumber } = read.values;
  const parsed = phoneNumber === null ? null : parseSoughtNumber(team.defaultCountry, phoneNumber);
  if (parsed !== null && !parsed.ok) read.refuse(parsed.message);
  read.done();
  const number = parsed?.ok ? parsed.e164 : null;
  return { ...NO_FILTERS, ...read.values, teamId: team.id, phoneNumber: number };
}

function resourceOf(row: CallRequest, details: CallDetailsRow): CallResource {
  return {
    ...listItemOf(row, details),
    result: details.result,
    variables: details.variables,
    prompt: details.prompt,
    firstMessage: details.first_message,
    decisions: details.decisions,
  };
}

/** Of a call that was removed since it was found. */
const NO_IDS: IdsOfCall = { external_id: null, campaign_id: null };

function listItemOf(row: CallRequest, ids: IdsOfCall): CallListItem {
  return {
    id: row.id,
    callRequestId: row.id,
    teamId: row.teamId,
    agentId: row.agentId,
    contactId: row.contactId,
    externalId: ids.external_id,
    enrollmentId: row.enrollmentId,
    campaignId: ids.campaign_id,
    status: row.status as CallState,
    reason: row.reason,
    acceptedAt: row.acceptedAt.toISOString(),
    runsAt: row.runsAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    notBefore: row.notBefore?.toISOString() ?? null,
    notAfter: row.notAfter?.toISOString() ?? null,
    waitingForLineSince: isPending(row.status as CallState)
      ? (row.waitingSince?.toISOString() ?? null)
      : null,
    wokenAt: isPending(row.status as CallState) ? row.wokenAt.toISOString() : null,
    claimedAt: row.claimedAt?.toISOString() ?? null,
    processedAt: row.processedAt?.toISOString() ?? null,
    answeredAt: row.answeredAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    durationSeconds: row.durationSeconds,
    phoneNumber: row.phoneNumber,
    callerId: row.callerId,
    carrier: row.carrier,
    carrierCallId: row.carrierCallId,
    unknownPlaceholders: row.unknownPlaceholders,
    history: row.history,
  };
}
