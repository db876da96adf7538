import { Injectable } from '@nestjs/common';
import { CreateCampaign, UpdateCampaign } from '../../campaigns/admin/campaign.dto.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { AppError, invalid, notFound, problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import {
  campaignBody,
  NEW_CAMPAIGN,
  settingErrors,
  type TypedCampaign,
  typedCampaign,
  typedInSettings,
} from './settings-form.js';
import { BEFORE, campaignSettingsPage, type ShownSettings } from './settings.view.js';

type Sent = ReadonlyMap<string, string>;

/** A new campaign, and the settings of one that no version has: name, purpose, pacing and re-entry. */
@Injectable()
export class CampaignSettingsPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
  ) {}

  newPage(request: PageRequest): Promise<PageElement> {
    return this.shown(request, { campaign: null, typed: NEW_CAMPAIGN, before: NEW_CAMPAIGN, errors: {} });
  }

  /** @throws AppError `NOT_FOUND` for the team or the campaign. */
  async page(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const campaign = await this.campaigns.get(teamId, id);
    const typed = typedCampaign(campaign);
    return this.shown(request, { campaign, typed, before: typed, errors: {} });
  }

  /** @returns the id of the new campaign, or the form with what is refused. */
  async create(request: PageRequest, teamId: string, sent: Sent): Promise<string | RefusedPage> {
    const typed = typedInSettings(sent);
    const checked = validateBody(CreateCampaign, campaignBody(typed, null), { nulls: 'keep' });
    const shown = { campaign: null, typed, before: NEW_CAMPAIGN };
    if (!checked.ok) return this.refused(request, shown, invalid(...problemsOf(checked)));
    const { id } = await this.campaigns.create(teamId, checked.value);
    return id;
  }

  /**
   * Changes the settings of which the form has another value than it was made with, so that what was changed at the
   * same time stays.
   *
   * @returns the form with what is refused; null: saved. @throws AppError `NOT_FOUND` for the team or the campaign.
   */
  async save(request: PageRequest, teamId: string, id: string, sent: Sent): Promise<RefusedPage | null> {
    const campaign = await this.campaigns.get(teamId, id);
    const typed = typedInSettings(sent);
    const before = madeWith(sent.get(BEFORE), typedCampaign(campaign));
    const checked = validateBody(UpdateCampaign, campaignBody(typed, before), { nulls: 'keep' });
    const shown = { campaign, typed, before };
    if (!checked.ok) return this.refused(request, shown, invalid(...problemsOf(checked)));
    await this.campaigns.update(teamId, id, checked.value);
    return null;
  }

  private async refused(
    request: PageRequest,
    shown: Omit<ShownSettings, 'errors'>,
    { problems }: AppError,
  ): Promise<RefusedPage> {
    return new RefusedPage(await this.shown(request, { ...shown, errors: settingErrors(problems) }));
  }

  private async shown(request: PageRequest, settings: ShownSettings): Promise<PageElement> {
    const frame = await this.frames.of(request);
    if (frame.team === null) throw notFound('Team');
    return campaignSettingsPage(frame, settings);
  }
}

/** The fields with which the form was made; the stored ones where the form does not say it. */
function madeWith(text: string | undefined, stored: TypedCampaign): TypedCampaign {
  try {
    const made = JSON.parse(text ?? '') as unknown;
    return typeof made === 'object' && made !== null ? { ...stored, ...made } : stored;
  } catch {
    return stored;
  }
}
