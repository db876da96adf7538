import { Injectable } from '@nestjs/common';
import { type ConsentResource, RecordConsent } from '../../consents/consent.dto.js';
import { ConsentsService } from '../../consents/consents.service.js';
import { problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { type Page } from '../../http/page.js';
import { validateBody } from '../../http/validation.js';
import { TeamsService } from '../../teams/teams.service.js';
import { dateIn, dayIn } from '../design/local-time.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { errorsOfRefusal, fieldErrors, type FieldErrors } from '../frame/form-errors.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, type Frame, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';
import { CONSENT_FORM, consentsPage, type TypedConsent } from './consents.view.js';

const CONSENTS_A_PAGE = 50;

/** The labels of the form by the fields of the API's body. */
const LABELS = { ...CONSENT_FORM, evidence: 'Evidence', grantedAt: 'Given on', expiresAt: 'Last day' };

/** Lists a team's consents, and records and revokes them. */
@Injectable()
export class ConsentsPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly consents: ConsentsService,
  ) {}

  /** The page; without the list if the address is refused. */
  async page(request: PageRequest, teamId: string): Promise<PageElement | RefusedPage> {
    const read = await this.frames.tolerant(request);
    const sought = request.phoneNumber;
    const [frame, consents] = await readOrRefuse(read, null, () => this.list(teamId, request));
    const typed = { ...untyped(frame), phoneNumber: sought ?? '' };
    return answerOf(frame, consentsPage(frame, { consents, sought, typed, errors: {} }));
  }

  /**
   * Records a consent.
   *
   * @returns the consent, or the page with the form as it was typed, and why it was refused.
   */
  async record(
    request: PageRequest,
    teamId: string,
    typed: TypedConsent,
  ): Promise<ConsentResource | RefusedPage> {
    const frame = await this.frames.of(request);
    const read = readTyped(frame, typed);
    let { errors } = read;
    if (read.fields !== null) {
      try {
        return await this.consents.record(await this.teams.find(teamId), read.fields);
      } catch (error) {
        errors = onForm(errorsOfRefusal(error, LABELS));
      }
    }
    const consents = await this.list(teamId, request);
    return new RefusedPage(consentsPage(frame, { consents, sought: request.phoneNumber, typed, errors }));
  }

  /** @throws AppError `NOT_FOUND`. */
  async revoke(teamId: string, id: string, reason: string): Promise<void> {
    await this.consents.revoke(await this.teams.find(teamId), id, { reason: reason.trim() || null });
  }

  private async list(teamId: string, request: PageRequest): Promise<Page<ConsentResource>> {
    const { phoneNumber } = request;
    const filters: Record<string, string> = phoneNumber === null ? {} : { phoneNumber };
    const page = listPage(CONSENTS_A_PAGE, request.parameter('cursor'), filters);
    return this.consents.list(await this.teams.find(teamId), page);
  }
}

function untyped({ zone, now }: Frame): TypedConsent {
  return {
    phoneNumber: '',
    level: 'express',
    purpose: '',
    voice: '',
    source: '',
    evidence: '',
    grantedOn: dateIn(zone, now),
    lastDay: '',
  };
}

/** A consent of today is given now; one of an earlier day at the beginning of the day, so that an opt-out of the day ends it. */
function readTyped(
  { zone, now }: Frame,
  typed: TypedConsent,
): { fields: RecordConsent | null; errors: FieldErrors } {
  const isToday = typed.grantedOn === dateIn(zone, now);
  const granted = isToday ? now : dayIn(zone, typed.grantedOn)?.from;
  const until = typed.lastDay === '' ? null : dayIn(zone, typed.lastDay)?.to;
  const checked = validateBody(
    RecordConsent,
    {
      phoneNumber: typed.phoneNumber.trim(),
      level: typed.level,
      purpose: typed.purpose || null,
      voice: typed.voice || null,
      source: typed.source,
      evidence: typed.evidence.trim() || null,
      grantedAt: granted?.toISOString() ?? typed.grantedOn,
      expiresAt: until === null ? null : (until?.toISOString() ?? typed.lastDay),
    },
    { nulls: 'keep' },
  );
  const errors = checked.ok ? {} : onForm(fieldErrors(problemsOf(checked), LABELS));
  if (typed.phoneNumber.trim() === '') errors.phoneNumber = 'Enter the phone number.';
  if (typed.source.trim() === '') errors.source = 'Enter how the consent was given.';
  if (errors.grantedOn !== undefined) errors.grantedOn = 'Given on must be a day, such as 2026-11-20.';
  if (errors.lastDay !== undefined) errors.lastDay = 'Last day must be a day, such as 2027-11-20, or empty.';
  const isValid = checked.ok && Object.keys(errors).length === 0;
  return { fields: isValid ? checked.value : null, errors };
}

/** The faults of the body by the fields of the form. */
function onForm({ grantedAt, expiresAt, ...errors }: FieldErrors): FieldErrors {
  return {
    ...errors,
    ...(grantedAt !== undefined && { grantedOn: grantedAt }),
    ...(expiresAt !== undefined && {
      lastDay: expiresAt.replace('grantedAt', 'the day on which it was given'),
    }),
  };
}
