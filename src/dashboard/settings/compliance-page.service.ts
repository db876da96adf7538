import { Injectable } from '@nestjs/common';
import { Packs } from '../../compliance/packs/packs.service.js';
import { mayDo } from '../../domain/permissions.js';
import { AppError, type Problem, problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { UpdateTeam } from '../../teams/team.dto.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type SentFields } from '../frame/sent-fields.js';
import {
  complianceErrors,
  complianceOf,
  type TypedCompliance,
  typedCompliance,
  typedInCompliance,
} from './compliance-form.js';
import { compliancePage } from './compliance.view.js';
import { TeamSettingsPageService } from './team-settings-page.service.js';

/** What decides about a team's calls: its own rules, those of law, and those that always hold. */
@Injectable()
export class CompliancePageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly packs: Packs,
    private readonly settings: TeamSettingsPageService,
  ) {}

  async page(
    request: PageRequest,
    teamId: string,
    sent: { typed: TypedCompliance; problems: readonly Problem[] } | null = null,
  ): Promise<PageElement> {
    const [frame, team, views] = await Promise.all([
      this.frames.of(request),
      this.teams.get(teamId),
      this.settings.views(teamId, 'team'),
    ]);
    return compliancePage(frame, views, {
      typed: sent?.typed ?? typedCompliance(team.compliance),
      errors: complianceErrors(sent?.problems ?? []),
      packs: this.packs.all.map(({ pack }) => pack),
      mayChange: mayDo(request.role, 'settings.change'),
    });
  }

  /** @returns null: saved; `same`: nothing differs. */
  async save(request: PageRequest, teamId: string, sent: SentFields): Promise<RefusedPage | 'same' | null> {
    const typed = typedInCompliance(sent);
    const compliance = complianceOf(typed);
    const { compliance: before } = await this.teams.get(teamId);
    if (JSON.stringify(complianceOf(typedCompliance(before))) === JSON.stringify(compliance)) return 'same';
    const problems = await this.change(teamId, compliance);
    return problems === null ? null : new RefusedPage(await this.page(request, teamId, { typed, problems }));
  }

  /** @returns what is refused; null: nothing. */
  private async change(
    teamId: string,
    compliance: Record<string, unknown>,
  ): Promise<readonly Problem[] | null> {
    const checked = validateBody(UpdateTeam, { compliance }, { nulls: 'keep' });
    if (!checked.ok) return problemsOf(checked);
    try {
      await this.teams.update(teamId, checked.value);
      return null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_REQUEST') return error.problems;
      throw error;
    }
  }
}
