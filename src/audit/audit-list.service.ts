import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Actor } from '../database/actor.js';
import { FilterReader } from '../http/filters.js';
import { encodeCursor, idCursorOf, type Page, type PageRequest } from '../http/page.js';
import { ALL_AUDIT_FILTERS, type AuditFilter } from './audit-filters.js';

/** A row of the log as it is read. The instant is ISO 8601 in UTC. */
export interface AuditRow {
  id: string;
  at: string;
  actorKind: Actor['kind'];
  actorId: string | null;
  actorName: string | null;
  address: string | null;
  /** Null: the platform. */
  teamId: string | null;
  action: string;
  targetType: string;
  targetId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** A page looks at no more than this number of rows, so that a filter which few match does not read the whole log. */
const WINDOW = 10_000;

/** The last row of the window. $1 team or null, $2 id to begin after or null. */
const END_OF_WINDOW = `
  SELECT id, at FROM audit_log
  WHERE ($1::uuid IS NULL OR team_id = $1) AND ($2::bigint IS NULL OR id < $2)
  ORDER BY id DESC OFFSET ${WINDOW - 1} LIMIT 1`;

/** $1 team or null, $2 id to begin after or null, $3 id to end with, $4 action, $5 actor, $6 target, $7 from, $8 to, $9 how many. */
const ROWS = `
  SELECT id, at, actor_kind AS "actorKind", actor_id AS "actorId", actor_name AS "actorName", address,
    team_id AS "teamId", action, target_type AS "targetType", target_id AS "targetId", before, after
  FROM audit_log
  WHERE ($1::uuid IS NULL OR team_id = $1) AND ($2::bigint IS NULL OR id < $2) AND id >= $3
    AND ($4::text IS NULL OR action = $4 OR target_type = $4)
    AND ($5::text IS NULL OR actor_kind = $5 OR actor_id::text = lower($5) OR strpos(lower(actor_name), lower($5)) > 0)
    AND ($6::text IS NULL OR target_id = $6)
    AND ($7::timestamptz IS NULL OR at >= $7) AND ($8::timestamptz IS NULL OR at < $8)
  ORDER BY id DESC LIMIT $9`;

/** Reads the audit log, the newest rows first. */
@Injectable()
export class AuditList {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * A page may have fewer rows than asked for, or none, although it has a `nextCursor`.
   * @throws AppError `INVALID_REQUEST` naming the parameters.
   */
  async list(request: PageRequest<AuditFilter>): Promise<Page<AuditRow>> {
    const read = new FilterReader(ALL_AUDIT_FILTERS, request);
    read.done();
    const { teamId, action, actor, target, from, to } = read.values;
    const after = idCursorOf(request);
    const [end] = await this.dataSource.query<{ id: string; at: Date }[]>(END_OF_WINDOW, [teamId, after]);
    const filters = [action, actor, target, from, to];
    const rows = await this.dataSource.query<(Omit<AuditRow, 'at'> & { at: Date })[]>(ROWS, [
      teamId,
      after,
      end?.id ?? '0',
      ...filters,
      request.limit + 1,
    ]);
    const items = rows.slice(0, request.limit).map((row) => ({ ...row, at: row.at.toISOString() }));
    if (rows.length > request.limit) return { items, nextCursor: encodeCursor([items.at(-1)?.id ?? '']) };
    const isOver = end === undefined || (from !== null && end.at < new Date(from));
    return { items, nextCursor: isOver ? null : encodeCursor([end.id]) };
  }
}
