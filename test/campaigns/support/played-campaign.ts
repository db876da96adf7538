import { randomUUID } from 'node:crypto';
import { type INestApplicationContext } from '@nestjs/common';
import { DueEnrollmentsService } from '../../../src/campaigns/engine/due-enrollments.service.js';
import { DEFINITION_FORMAT } from '../../../src/campaigns/definition/campaign-version.entity.js';
import { buildContact, buildEnrollment, insertRow, type Row } from '../../support/builders.js';
import { bearer, type Calling } from '../../support/calling.js';
import { type Caller } from '../../support/call-builders.js';
import { moveClock } from '../../support/clock.js';
import { eventually } from '../../support/eventually.js';

/** An enrollment as Postgres has it. */
export type EnrollmentRow = Row & {
  id: string;
  status: string;
  end_reason: string | null;
  step: string | null;
  waiting_for: string | null;
  next_attempt_at: Date | null;
  look_at: Date | null;
  created_at: Date;
  timeline: { at: string; kind: string; [key: string]: unknown }[];
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A campaign of a caller, whose clock a test moves and whose engine it runs. */
export class PlayedCampaign {
  private constructor(
    private readonly calling: Calling,
    readonly caller: Caller,
    readonly id: string,
    readonly versionId: string,
  ) {}

  /**
   * An active campaign whose current version has this definition; steps without an agent get the caller's.
   */
  static async build(
    calling: Calling,
    caller: Caller,
    definition: Row,
    row: Row = {},
  ): Promise<PlayedCampaign> {
    const [id, versionId] = [randomUUID(), randomUUID()];
    const steps = (definition.steps as Row[] | undefined)?.map((step) => ({
      agentId: caller.agentId,
      ...step,
    }));
    await calling.db.transaction(async (db) => {
      await db.query(
        `INSERT INTO campaigns (id, team_id, name, status, current_version_id, pacing) VALUES ($1, $2, 'Played', $3, $4, $5)`,
        [id, caller.teamId, row.status ?? 'active', versionId, row.pacing ?? null],
      );
      await db.query(
        `INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at, definition, definition_format)
         VALUES ($1, $2, $3, 1, 'published', now(), $4, $5)`,
        [
          versionId,
          caller.teamId,
          id,
          { ...definition, steps },
          row.format === undefined ? DEFINITION_FORMAT : row.format,
        ],
      );
    });
    return new PlayedCampaign(calling, caller, id, versionId);
  }

  /** Enrolls a new contact by the contract's endpoint; gives the enrollment's id and the contact's number. */
  async enroll(contact: Row = {}): Promise<{ id: string; to: string; contactId: string }> {
    const { id: contactId, phone_number: to } = await buildContact(
      this.calling.db,
      this.caller.teamId,
      contact,
    );
    const answer = await this.calling
      .http()
      .post('/api/campaigns/enrollments')
      .set(bearer(this.caller.apiKey))
      .send({ contactId, campaignId: this.id });
    if (answer.status !== 201) throw new Error(`not enrolled: ${answer.status} ${answer.text}`);
    return { id: (answer.body as { enrollmentId: string }).enrollmentId, to, contactId };
  }

  /** Many at once, due now, without the endpoint. */
  async enrollMany(count: number): Promise<{ id: string; to: string }[]> {
    const made = [];
    for (let n = 0; n < count; n += 1) {
      const contact = await buildContact(this.calling.db, this.caller.teamId);
      const { id } = await buildEnrollment(
        this.calling.db,
        {
          team_id: this.caller.teamId,
          campaign_id: this.id,
          contact_id: contact.id,
          version_id: this.versionId,
        },
        { look_at: new Date(Date.now() - MINUTE) },
      );
      made.push({ id, to: contact.phone_number });
    }
    return made;
  }

  async row(id: string): Promise<EnrollmentRow> {
    const [row] = await this.calling.db.query<EnrollmentRow[]>('SELECT * FROM enrollments WHERE id = $1', [
      id,
    ]);
    if (row === undefined) throw new Error(`no enrollment ${id}`);
    return row;
  }

  /**
   * Runs the worker's engine until nothing is due, at an offset of the clock in milliseconds; then all dials
   * have their answers.
   */
  async at(worker: INestApplicationContext, offsetMs: number): Promise<number> {
    await moveClock(this.calling.db, `${offsetMs} milliseconds`);
    return runDue(worker);
  }

  /** Runs the engine, and waits until every call that it dialed has ended and is decided. */
  async played(worker: INestApplicationContext, offsetMs: number): Promise<void> {
    await this.at(worker, offsetMs);
    await eventually(
      () =>
        this.calling.db.query<object[]>(
          `SELECT FROM call_requests WHERE team_id = $1 AND status IN ('queued', 'dialing', 'in_progress')`,
          [this.caller.teamId],
        ),
      (open) => open.length === 0,
    );
    await runDue(worker);
  }

  /** The calls of an enrollment, oldest first. */
  async calls(id: string): Promise<string[]> {
    const rows = await this.calling.db.query<{ call_request_id: string }[]>(
      'SELECT call_request_id FROM enrollment_dials WHERE enrollment_id = $1 ORDER BY seq',
      [id],
    );
    return rows.map(({ call_request_id: call }) => call);
  }

  /** Reports the result of an enrollment's newest call; gives the answer. */
  async report(id: string, result: object) {
    const call = (await this.calls(id)).at(-1) ?? '';
    return this.calling.report(this.caller, call, result);
  }

  patch(body: object) {
    return this.calling.operated('patch', `/teams/${this.caller.teamId}/campaigns/${this.id}`, body);
  }

  read(id: string) {
    const path = `/teams/${this.caller.teamId}/campaigns/${this.id}/enrollments/${id}`;
    return this.calling.operator('get', path);
  }

  move(id: string, move: 'pause' | 'resume' | 'exit') {
    const path = `/teams/${this.caller.teamId}/campaigns/${this.id}/enrollments/${id}/${move}`;
    return this.calling.operated('post', path);
  }
}

export function runDue(worker: INestApplicationContext): Promise<number> {
  return worker.get(DueEnrollmentsService, { strict: false }).run(new AbortController().signal);
}

/** A call to the number that a trigger created. */
export async function insertCall(calling: Calling, caller: Caller, contactId: string, to: string, row: Row) {
  const now = new Date();
  await insertRow(calling.db, 'call_requests', {
    id: randomUUID(),
    team_id: caller.teamId,
    agent_id: caller.agentId,
    contact_id: contactId,
    phone_number: to,
    status: 'queued',
    accepted_at: now,
    runs_at: now,
    expires_at: new Date(now.getTime() + 24 * HOUR),
    woken_at: now,
    history: [{ at: now.toISOString(), from: null, to: 'queued', cause: 'triggered' }],
    ...row,
  });
}
