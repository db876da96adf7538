import { Injectable } from '@nestjs/common';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { EnrollListService } from '../../campaigns/records/enroll-list.service.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { count } from '../design/local-time.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { enrolledPage, enrollPage, LIST, MOST_LINES } from './enroll.view.js';

/** The longest external id, number or id has fewer characters. */
const MOST_CHARACTERS = 300;
/** The source of the enrollments. */
const SOURCE = 'dashboard';

/** Enrolls a list of contacts that a person types or pastes. */
@Injectable()
export class EnrollPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly lists: EnrollListService,
  ) {}

  /** @throws AppError `NOT_FOUND` for the team or the campaign. */
  async page(
    request: PageRequest,
    teamId: string,
    campaignId: string,
    sent: { typed: string; errors: FieldErrors } = { typed: '', errors: {} },
  ): Promise<PageElement> {
    const frame = await this.frames.of(request);
    if (frame.team === null) throw notFound('Team');
    return enrollPage(frame, { campaign: await this.campaigns.get(teamId, campaignId), ...sent });
  }

  /**
   * What became of the list, or the form with what is refused.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign.
   */
  async enroll(
    request: PageRequest,
    teamId: string,
    campaignId: string,
    typed: string,
  ): Promise<PageElement | RefusedPage> {
    const lines = typed
      .split(/\r?\n/)
      .map((text, index) => ({ line: index + 1, text: text.trim() }))
      .filter(({ text }) => text !== '');
    const refused = async (error: string) =>
      new RefusedPage(await this.page(request, teamId, campaignId, { typed, errors: { [LIST]: error } }));
    const long = lines.find(({ text }) => text.length > MOST_CHARACTERS);
    if (lines.length === 0) return refused('Type a number, an external id or a contact id.');
    if (lines.length > MOST_LINES)
      return refused(
        `These are ${count(lines.length)} lines; at most ${count(MOST_LINES)} are taken at once.`,
      );
    if (long !== undefined) return refused(`Line ${long.line} is too long to be one of these.`);
    try {
      const texts = lines.map(({ text }) => text);
      const results = await this.lists.enroll(teamId, campaignId, texts, SOURCE);
      const frame = await this.frames.of(request);
      const campaign = await this.campaigns.get(teamId, campaignId);
      const found = lines.flatMap((one, index) => {
        const result = results[index];
        if (result === undefined) return [];
        if (result.kind !== 'repeated') return [{ ...one, result }];
        const reason = `The same contact as in line ${lines[result.of]?.line}`;
        return [{ ...one, result: { kind: 'refused' as const, reason } }];
      });
      return enrolledPage(frame, { campaign, lines: found });
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNPROCESSABLE') return refused(`${error.message}.`);
      throw error;
    }
  }
}
