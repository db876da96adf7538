import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { jsonBytesOf, readPage } from '../../database/keyset.js';
import { CALL_STATES, type CallState, isFinal, isPending, phaseOf } from '../../domain/call-states.js';
import { parsePhoneNumber } from '../../domain/phone-number.js';
import { AppError, invalid, notFound } from '../../http/app-error.js';
import {
  cursorInstant,
  encodeCursor,
  malformedCursor,
  type Page,
  type PageRequest,
} from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { TeamsService } from '../../teams/teams.service.js';
import { CallRequest } from '../shared/call-request.entity.js';
import { type CallView } from './calls.service.js';
import { decisionsOf } from '../shared/details.sql.js';
import { ofManyNumbers } from '../shared/facts.sql.js';
import { type CallDetailsRow, DETAILS_OF_CALL } from './read.sql.js';
import { OutcomeService } from '../dial/outcome.service.js';
import { type Resolution } from './resolution.dto.js';

/** A call as operators see it: all that the team sees, and what led to it. Instants are ISO 8601 in UTC. */
export interface CallResource extends CallView {
  id: string;
  teamId: string;
  variables: Record<string, unknown>;
  /** Since when it is due and waits because its team has as many calls under way as it may. */
  waitingForLineSince: string | null;
  claimedAt: string | null;
  processedAt: string | null;
  carrier: string | null;
  carrierCallId: string | null;
  decisions: unknown[];
}

/** What a call says that may be large; a list does not read it. */
const LARGE = ['variables', 'prompt', 'firstMessage', 'decisions'] as const;

/** A call in a list. {@link CallsAdminService.get} has the rest. */
export type CallListItem = Omit<CallResource, (typeof LARGE)[number] | 'result'>;
/** A call among those to one number, with what the rules said. */
export type CallOfNumber = CallListItem & Pick<CallResource, 'decisions'>;

export const CALL_FILTERS = ['status', 'phoneNumber'] as const;
export type CallFilter = (typeof CALL_FILTERS)[number];

/**
 * Calls that a page looks at when it is asked for an ended status. No index has the status, because every transition of a call would
 * update it; so a page of a status that few calls have ends here, and its cursor leads on.
 */
export const LOOKED_AT = 10_000;

/** Operators' reads of one team's calls. */
@Injectable()
export class CallsAdminService {
  private readonly calls: Repository<CallRequest>;

  constructor(
    dataSource: DataSource,
    private readonly teams: TeamsService,
    private readonly outcomes: OutcomeService,
  ) {
    this.calls = dataSource.getRepository(CallRequest);
  }

  /**
   * The team's calls, the newest first, by `status` and by `phoneNumber`. A page of an ended status may have fewer items than asked for,
   * or none, although it has a `nextCursor`.
   *
   * @throws AppError `NOT_FOUND` for the team, or `INVALID_REQUEST` naming the parameter.
   */
  async list(teamId: string, request: PageRequest<CallFilter>): Promise<Page<CallListItem>> {
    return this.page(teamId, request, {}, listItemOf);
  }

  /** The same with decisions, for the history of a number. @throws AppError as {@link list}. */
  async listWithDecisions(teamId: string, request: PageRequest<CallFilter>): Promise<Page<CallOfNumber>> {
    const itemOf = (row: CallRequest) => ({ ...listItemOf(row), decisions: row.decisions });
    return this.page(teamId, request, { decisions: decisionsOf('c') }, itemOf);
  }

  private async page<Item>(
    teamId: string,
    request: PageRequest<CallFilter>,
    large: Partial<Record<(typeof LARGE)[number], string>>,
    itemOf: (row: CallRequest) => Item,
  ): Promise<Page<Item>> {
    const team = await this.teams.find(teamId);
    const { status, phoneNumber } = request.filters;
    const unread: readonly string[] = LARGE;
    const read = this.calls.metadata.columns.filter(({ propertyName }) => !unread.includes(propertyName));
    const query = this.calls
      .createQueryBuilder('c')
      .select(read.map(({ propertyName }) => `c.${propertyName}`))
      .where({ teamId });
    for (const [property, sql] of Object.entries(large)) query.addSelect(sql, `c_${property}`);
    if (status !== undefined) {
      if (!isCallState(status)) throw invalid(`status must be one of ${CALL_STATES.join(', ')}`);
      query.andWhere('c.status = :status', { status });
      // Indexes know open calls by their phase.
      if (!isFinal(status)) query.andWhere(`c.phase = ${phaseOf(status)} AND ${ofManyNumbers('c')}`);
    }
    if (phoneNumber !== undefined) {
      const parsed = parsePhoneNumber(phoneNumber, team.defaultCountry);
      if (!parsed.ok) throw invalid(parsed.message);
      query.andWhere('c.phoneNumber = :phoneNumber', { phoneNumber: parsed.e164 });
    }
    if (request.after) {
      const [text, id] = request.after;
      const at = cursorInstant(text);
      if (at === null || !isUuid(id)) throw malformedCursor();
      query.andWhere('(c.acceptedAt, c.id) < (:at, :id)', { at, id });
    }
    query.orderBy('c.acceptedAt', 'DESC').addOrderBy('c.id', 'DESC');
    const last =
      status !== undefined && isFinal(status) && phoneNumber === undefined
        ? await this.lastLookedAt(teamId, request.after)
        : undefined;
    if (last)
      query.andWhere('(c.acceptedAt, c.id) >= (:lastAt, :lastId)', { lastAt: last.at, lastId: last.id });
    const bytes = [
      jsonBytesOf<CallRequest>('c', 'history', 'unknownPlaceholders'),
      ...Object.values(large).map((sql) => `octet_length(CAST(${sql} AS text))`),
    ].join(' + ');
    const page = await readPage(query, request, keyOf, itemOf, bytes);
    if (!last || page.nextCursor !== null) return page;
    return { ...page, nextCursor: encodeCursor([last.at.toISOString(), last.id]) };
  }

  /** The last of so many calls of the team behind a cursor; undefined where there are fewer. */
  private async lastLookedAt(teamId: string, after: string[] | null): Promise<LastLookedAt | undefined> {
    const [last] = await this.calls.query<LastLookedAt[]>(
      `SELECT date_trunc('milliseconds', accepted_at) AS at, id FROM call_requests
       WHERE team_id = $1 AND ($2::timestamptz IS NULL OR (accepted_at, id) < ($2, $3::uuid))
       ORDER BY accepted_at DESC, id DESC OFFSET ${LOOKED_AT - 1} LIMIT 1`,
      [teamId, after?.[0] ?? null, after?.[1] ?? null],
    );
    return last;
  }

  /** @throws AppError `NOT_FOUND` for the team or the call. */
  async get(teamId: string, id: string): Promise<CallResource> {
    await this.teams.find(teamId);
    const row = isUuid(id) ? await this.calls.findOneBy({ teamId, id }) : null;
    if (row === null) throw notFound('Call');
    const [details] = await this.calls.query<[CallDetailsRow]>(DETAILS_OF_CALL, [id]);
    return resourceOf(row, details);
  }

  /**
   * Settles a call of which only a person can find out what became of it.
   *
   * @throws AppError `NOT_FOUND`, or `CONFLICT` when the call is not in `dial_unknown`.
   */
  async resolve(teamId: string, id: string, { outcome }: Resolution): Promise<CallResource> {
    await this.get(teamId, id);
    const moved = await this.outcomes.apply(id, {
      to: outcome,
      cause: 'resolved_by_operator',
      from: ['dial_unknown'],
    });
    const call = await this.get(teamId, id);
    if (!moved)
      throw new AppError('CONFLICT', `The call is ${call.status}; only dial_unknown can be resolved`);
    return call;
  }
}

interface LastLookedAt {
  at: Date;
  id: string;
}

function keyOf(row: CallRequest): string[] {
  return [row.acceptedAt.toISOString(), row.id];
}

function isCallState(text: string): text is CallState {
  return (CALL_STATES as string[]).includes(text);
}

function resourceOf(row: CallRequest, details: CallDetailsRow): CallResource {
  return {
    ...listItemOf(row),
    result: details.result,
    variables: details.variables,
    prompt: details.prompt,
    firstMessage: details.first_message,
    decisions: details.decisions,
  };
}

function listItemOf(row: CallRequest): CallListItem {
  return {
    id: row.id,
    callRequestId: row.id,
    teamId: row.teamId,
    agentId: row.agentId,
    contactId: row.contactId,
    enrollmentId: row.enrollmentId,
    status: row.status as CallState,
    reason: row.reason,
    acceptedAt: row.acceptedAt.toISOString(),
    runsAt: row.runsAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    waitingForLineSince: isPending(row.status as CallState)
      ? (row.waitingSince?.toISOString() ?? null)
      : null,
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
