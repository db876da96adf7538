import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { mayDo } from '../../domain/permissions.js';
import { PLATFORM_DAYS, daysOf } from '../../domain/retention.js';
import { type TeamSettingName } from '../../domain/team-settings.js';
import { AppError, problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { PlatformService } from '../../platform/platform.service.js';
import { UpdateTeam } from '../../teams/team.dto.js';
import { TeamsService } from '../../teams/teams.service.js';
import { count } from '../design/local-time.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { type Frame, PageFrame } from '../frame/page-frame.service.js';
import { type SentFields } from '../frame/sent-fields.js';
import { errorsOfRefusal, fieldErrors, type FieldErrors } from '../frame/form-errors.js';
import { retentionPage } from './retention.view.js';
import { type SettingsForm, type SettingView } from './setting-fields.view.js';
import { beforeField, typedIn, type TypedSetting, valueOf } from './setting-value.js';
import { daysText, FIELD_SETTINGS, type FieldSetting, labelOf, SETTING_LABELS } from './setting-words.js';
import { MOST_ACTIVE, USE_OF_LIMITS, type UseRow } from './team-settings.sql.js';
import { teamSettingsPage } from './team-settings.view.js';

/** A page of settings: which it has, and its view. */
interface SettingsKind {
  has: (setting: FieldSetting) => boolean;
  view: (frame: Frame, form: SettingsForm) => PageElement;
}

const KINDS = {
  team: { has: () => true, view: teamSettingsPage },
  retention: { has: ({ kind }) => kind.type === 'days', view: retentionPage },
} satisfies Record<string, SettingsKind>;

type SettingsPageKind = keyof typeof KINDS;

/** The settings of a team, as `TEAM_SETTINGS` lists them. */
@Injectable()
export class TeamSettingsPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly platform: PlatformService,
  ) {}

  async page(request: PageRequest, teamId: string, kind: SettingsPageKind): Promise<PageElement> {
    const frame = await this.frames.of(request);
    return KINDS[kind].view(frame, { views: await this.views(teamId, kind), typed: {}, errors: {} });
  }

  /**
   * Changes the settings of which the form has another value than it was made with, so that what was changed at the
   * same time stays.
   *
   * @returns null: saved; `same`: nothing differs. @throws AppError `FORBIDDEN` for a setting of the operator's.
   */
  async save(
    request: PageRequest,
    teamId: string,
    sent: SentFields,
    kind: SettingsPageKind,
  ): Promise<RefusedPage | 'same' | null> {
    const typed: Record<string, TypedSetting> = {};
    const changes: Record<string, unknown> = {};
    for (const setting of FIELD_SETTINGS.filter(KINDS[kind].has)) {
      const one = typedIn(setting, sent);
      if (one === null) continue;
      if (setting.setBy === 'operator' && !mayDo(request.role, 'teams')) {
        throw new AppError('FORBIDDEN', `Only an operator can change “${labelOf(setting)}”`);
      }
      typed[setting.name] = one;
      const value = valueOf(setting, one);
      if (JSON.stringify(value) !== sent.text(beforeField(setting.name))) changes[setting.name] = value;
    }
    if (Object.keys(changes).length === 0) return 'same';
    const errors = await this.change(teamId, changes);
    if (errors === null) return null;
    const frame = await this.frames.of(request);
    return new RefusedPage(KINDS[kind].view(frame, { views: await this.views(teamId, kind), typed, errors }));
  }

  /** @returns what is refused; null: nothing. */
  private async change(teamId: string, changes: Record<string, unknown>): Promise<FieldErrors | null> {
    const checked = validateBody(UpdateTeam, changes, { nulls: 'keep' });
    if (!checked.ok) return fieldErrors(problemsOf(checked), SETTING_LABELS);
    try {
      await this.teams.update(teamId, checked.value);
      return null;
    } catch (error) {
      return errorsOfRefusal(error, SETTING_LABELS);
    }
  }

  async views(teamId: string, kind: SettingsPageKind): Promise<SettingView[]> {
    const [team, platform, [use]] = await Promise.all([
      this.teams.find(teamId),
      this.platform.get(),
      this.dataSource.query<UseRow[]>(USE_OF_LIMITS, [teamId]),
    ]);
    const uses = useTexts(use);
    const days: Record<string, unknown> = { ...platform };
    return FIELD_SETTINGS.filter(KINDS[kind].has).map((setting) => {
      const name = setting.name as TeamSettingName;
      const stored = team[name];
      const value =
        setting.kind.type !== 'days' ? stored : stored === null ? PLATFORM_DAYS : daysOf(Number(stored));
      return {
        setting,
        value,
        platformDays: daysText((days[name] ?? null) as number | null),
        use: uses.get(name),
      };
    });
  }
}

function useTexts(use: UseRow | undefined): Map<TeamSettingName, string> {
  if (use === undefined) return new Map();
  const { month, active } = use;
  const calls = `${count(active)}${active === MOST_ACTIVE ? ' or more' : ''}`;
  return new Map([
    [
      'monthlyCallLimit',
      month === null ? 'Not counted without a limit.' : `Used this month: ${count(month)}.`,
    ],
    ['maxConcurrentCalls', `Active now: ${calls}.`],
  ]);
}
