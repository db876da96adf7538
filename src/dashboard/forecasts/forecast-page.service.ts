import { Injectable } from '@nestjs/common';
import { CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { ForecastService } from '../../campaigns/forecast/forecast.service.js';
import { AppError, invalid, notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { forecastPage, type ForecastFields } from './forecast.view.js';
import { type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
const MAX_CONCURRENCY = 100_000;
const MAX_SECONDS = 14_400;
const MAX_SEED = 1_000_000;

/** The initial values of the form. */
const FIRST: ForecastFields = {
  days: '14',
  concurrency: '10',
  completed: '40',
  no_answer: '40',
  busy: '5',
  voicemail: '10',
  declined: '0',
  network_blocked: '0',
  seconds: '90',
  contacts: '',
  seed: '1',
};

/** Refusals that the page shows above its form, with their statuses. */
const SHOWN: Partial<Record<AppError['code'], 400 | 422 | 429>> = {
  INVALID_REQUEST: 400,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
};

type Ids = Parameters<ForecastService['of']>[0];

/** Plays a version with simulated time that begins now. It stores nothing and places no calls. */
@Injectable()
export class ForecastPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly versions: CampaignVersionsService,
    private readonly forecasts: ForecastService,
  ) {}

  /** How long {@link play} may take, in milliseconds. */
  get limitMs(): number {
    return this.forecasts.limits.ms;
  }

  /** The form. @throws AppError `NOT_FOUND` for the team, the campaign or the version. */
  async form(request: PageRequest, ids: Ids): Promise<PageElement> {
    const { frame, campaign, version } = await this.around(request, ids);
    return forecastPage(frame, { campaign, version, fields: FIRST, problem: null, forecast: null });
  }

  /**
   * The form with the forecast, or with the reason why there is none.
   *
   * @param signal ends the forecast.
   * @throws AppError as {@link form}, or `CONFLICT` if erased numbers cannot be recognized.
   */
  async play(
    request: PageRequest,
    ids: Ids,
    form: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<{ status: number; page: PageElement }> {
    const { frame, campaign, version } = await this.around(request, ids);
    const names = Object.keys(FIRST) as (keyof ForecastFields)[];
    const sent = names.map((name) => [name, (form.get(name) ?? '').trim().slice(0, 20)]);
    const fields = Object.fromEntries(sent) as ForecastFields;
    const shown = { campaign, version, fields };
    try {
      const forecast = await this.forecasts.of(ids, this.asked(fields, frame.now), signal);
      return { status: 200, page: forecastPage(frame, { ...shown, problem: null, forecast }) };
    } catch (error) {
      const status = error instanceof AppError ? SHOWN[error.code] : undefined;
      if (!(error instanceof AppError) || status === undefined) throw error;
      const problem = `${error.message}.`;
      return { status, page: forecastPage(frame, { ...shown, problem, forecast: null }) };
    }
  }

  private async around(request: PageRequest, { teamId, campaignId, versionId }: Ids) {
    const frame = await this.frames.of(request, teamId);
    if (frame.team === null) throw notFound('Team');
    const campaign = await this.campaigns.get(teamId, campaignId);
    return { frame, campaign, version: await this.versions.get(teamId, campaignId, versionId) };
  }

  /** @throws AppError `INVALID_REQUEST` naming the field. */
  private asked(fields: ForecastFields, now: Date): Parameters<ForecastService['of']>[1] {
    const chance = (text: string, name: string) => whole(text, name, 0, 100) / 100;
    const days = whole(fields.days, 'Days', 1, MAX_DAYS);
    return {
      from: now.toISOString(),
      until: new Date(now.getTime() + days * DAY_MS).toISOString(),
      concurrency: whole(fields.concurrency, 'Active calls', 1, MAX_CONCURRENCY),
      assume: {
        completed: chance(fields.completed, 'Completed'),
        no_answer: chance(fields.no_answer, 'No answer'),
        busy: chance(fields.busy, 'Busy'),
        voicemail: chance(fields.voicemail, 'Voicemail'),
        declined: chance(fields.declined || '0', 'Declined'),
        network_blocked: chance(fields.network_blocked || '0', 'Blocked by a network'),
        seconds: whole(fields.seconds, 'Seconds a call', 1, MAX_SECONDS),
      },
      seed: whole(fields.seed, 'Seed', 0, MAX_SEED),
      ...(fields.contacts !== '' && {
        contacts: whole(fields.contacts, 'Made-up contacts', 1, this.forecasts.limits.enrollments),
      }),
    };
  }
}

function whole(text: string, name: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw invalid(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}
