import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CreateCampaignVersion } from '../../campaigns/admin/campaign-version.dto.js';
import { CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { AppError, notFound, type Problem, problemOf, problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { MAX_LIMIT } from '../../http/page.js';
import { validateBody } from '../../http/validation.js';
import { VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import { type PageRequest, Redirect, RefusedPage } from '../frame/form.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { listPage } from '../frame/list-page.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type SentFields } from '../frame/sent-fields.js';
import { checkedForm } from './check.view.js';
import {
  BY_FORM,
  BY_JSON,
  controlsOf,
  definitionErrors,
  ELSEWHERE,
  JSON_TEXT,
  MODE,
  sentForm,
} from './controls.js';
import { type DefinitionForm, definitionOf, formOf } from './definition-form.js';
import { type Campaign, type Version, type Warnings } from './answers.js';
import { CHECK, DO, editorPage, FILL, MADE, OPEN, type ShownEditor } from './editor.view.js';
import { edited, newStep, openAfter } from './edits.js';

const CHANGED_MEANWHILE =
  'The draft was changed while this form was open. Save again to replace it with what is below';

interface VersionIds {
  teamId: string;
  campaignId: string;
  /** Null: a new draft. */
  versionId: string | null;
}

/** A definition that was sent, by the form or as JSON. */
interface SentDefinition {
  form: DefinitionForm;
  mode: string;
  json: string;
  /** Null: the JSON cannot be read. */
  definition: Record<string, unknown> | null;
  problems: readonly Problem[];
  warnings: Warnings;
}

/** The editor of drafts, which writes them by the service of the API. */
@Injectable()
export class VersionEditorService {
  constructor(
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly versions: CampaignVersionsService,
    private readonly agents: VoiceAgentsService,
  ) {}

  /**
   * The form of a new draft, which begins as the newest version, or as the one that the parameter `from` names. If
   * there is a draft, its page is next.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or the version.
   */
  async newPage(request: PageRequest, teamId: string, campaignId: string): Promise<PageElement | Redirect> {
    const campaign = await this.campaigns.get(teamId, campaignId);
    if (campaign.draftVersionId !== null)
      return new Redirect(`/t/${teamId}/campaigns/${campaignId}/versions/${campaign.draftVersionId}`);
    const from = await this.beginning(teamId, campaignId, request.parameter('from'));
    const form = formOf(from?.definition ?? {});
    const around = { teamId, campaign, version: null };
    if (form.steps.length > 0) return this.shown(request, around, { form, from: from?.number ?? null });
    const [agent] = await this.agentsOf(teamId, 1);
    return this.shown(request, around, { form: { ...form, steps: [newStep([], agent?.id ?? '')] } });
  }

  /** The editor of a draft. @throws AppError `NOT_FOUND` for the team or the campaign. */
  async page(request: PageRequest, teamId: string, version: Version): Promise<PageElement> {
    const campaign = await this.campaigns.get(teamId, version.campaignId);
    const { definition } = version;
    const { warnings } = await this.versions.check(teamId, definition);
    const shown = { form: formOf(definition), json: jsonText(definition), warnings };
    return this.shown(request, { teamId, campaign, version }, shown);
  }

  /**
   * What a button of the form does: saves the draft, checks it, or changes the form.
   *
   * @returns the id of the saved draft, or the page with the form. @throws AppError `NOT_FOUND`.
   */
  async submit(
    request: PageRequest,
    ids: VersionIds,
    sent: SentFields,
  ): Promise<string | PageElement | RefusedPage> {
    const { teamId } = ids;
    const campaign = await this.campaigns.get(teamId, ids.campaignId);
    const version =
      ids.versionId === null ? null : await this.versions.get(teamId, campaign.id, ids.versionId);
    const around = { teamId, campaign, version };
    const button = sent.text(DO);
    const form = edited(sentForm(sent), button);
    const made = sent.text(MADE);
    const open = Number(sent.text(OPEN)) || 0;
    if (form !== null) {
      const kept = { mode: sent.text(MODE) || BY_FORM, json: sent.text(JSON_TEXT) };
      return this.shown(request, around, {
        form,
        made,
        open: openAfter(sentForm(sent), button, open),
        ...(kept.mode === BY_JSON && kept),
      });
    }
    const read = await this.read(teamId, sent);
    if (button === FILL) {
      const filled = read.definition === null ? read.form : formOf(jsonIn(sent.text(JSON_TEXT)));
      const errors = read.definition === null ? definitionErrors(read.problems, true) : {};
      return this.shown(request, around, { form: filled, made, errors });
    }
    const { mode, json, problems, warnings } = read;
    const shown = { form: read.form, mode, json, warnings, made, open };
    const errors = definitionErrors(problems, mode === BY_JSON);
    if (button === CHECK) return this.shown(request, around, { ...shown, errors, wasChecked: true });
    if (problems.length > 0 || read.definition === null)
      return new RefusedPage(await this.shown(request, around, { ...shown, errors }));
    const fault = await this.save(around, read.definition, made);
    if (typeof fault === 'string') return fault;
    // The stored definition is now known to the person.
    return new RefusedPage(
      await this.shown(request, around, { ...shown, made: markOf(version), errors: fault }),
    );
  }

  /** What is wrong with the form that was sent, for a form that is open. */
  async check(teamId: string, campaignId: string, sent: SentFields): Promise<PageElement> {
    await this.campaigns.get(teamId, campaignId);
    const { form, mode, json, problems, warnings } = await this.read(teamId, sent);
    const isJson = mode === BY_JSON;
    const errors = definitionErrors(problems, isJson);
    const controls = controlsOf(form);
    return checkedForm({ errors, warnings, wasChecked: true, controls, json: isJson ? null : json });
  }

  /** @returns the id of the draft, or what is refused. */
  private async save(
    { teamId, campaign, version }: { teamId: string; campaign: Campaign; version: Version | null },
    definition: Record<string, unknown>,
    made: string,
  ): Promise<string | FieldErrors> {
    if (version !== null && made !== '' && made !== markOf(version))
      return { [ELSEWHERE]: `${CHANGED_MEANWHILE}.` };
    try {
      const { id } =
        version === null
          ? await this.versions.create(teamId, campaign.id, { definition })
          : await this.versions.update(teamId, campaign.id, version.id, { definition });
      return id;
    } catch (error) {
      const isRefusal =
        error instanceof AppError && (error.code === 'INVALID_REQUEST' || error.code === 'CONFLICT');
      if (!isRefusal) throw error;
      return definitionErrors(error.problems, false);
    }
  }

  private async read(teamId: string, sent: SentFields): Promise<SentDefinition> {
    const form = sentForm(sent);
    const mode = sent.text(MODE) === BY_JSON || sent.text(DO) === FILL ? BY_JSON : BY_FORM;
    const typed = sent.text(JSON_TEXT);
    const definition = mode === BY_JSON ? jsonIn(typed) : definitionOf(form);
    const json = mode === BY_JSON ? typed : jsonText(definition);
    const checked = validateBody(CreateCampaignVersion, { definition });
    if (!checked.ok) {
      const unread = problemOf('The JSON cannot be read as an object', 'definition');
      const problems = definition === undefined ? [unread] : problemsOf(checked);
      return { form, mode, json, definition: null, problems, warnings: [] };
    }
    const found = await this.versions.check(teamId, checked.value.definition);
    return { form, mode, json, definition: checked.value.definition, ...found };
  }

  private async beginning(teamId: string, campaignId: string, from: string | null): Promise<Version | null> {
    if (from !== null) return this.versions.get(teamId, campaignId, from);
    let newest: Version | null = null;
    for (let cursor: string | null = null, more = true; more;) {
      const page = await this.versions.list(teamId, campaignId, listPage(MAX_LIMIT, cursor));
      newest = page.items.at(-1) ?? newest;
      cursor = page.nextCursor;
      more = cursor !== null;
    }
    return newest;
  }

  private async agentsOf(teamId: string, most: number) {
    const { items } = await this.agents.list(teamId, listPage(most, null));
    return items;
  }

  private async shown(
    request: PageRequest,
    { teamId, campaign, version }: { teamId: string; campaign: Campaign; version: Version | null },
    {
      form,
      json = jsonText(definitionOf(form)),
      mode = BY_FORM,
      errors = {},
      warnings = [],
      from = null,
      open = 0,
      made = markOf(version),
      wasChecked = false,
    }: Pick<ShownEditor, 'form'> & Partial<Omit<ShownEditor, 'campaign' | 'version' | 'agents'>>,
  ): Promise<PageElement> {
    const frame = await this.frames.of(request);
    if (frame.team === null) throw notFound('Team');
    const agents = await this.agentsOf(teamId, MAX_LIMIT);
    const edit = { form, json, mode, errors, warnings, from, made, wasChecked };
    const faulty = form.steps.findIndex((_, index) => hasFault(errors, index));
    const shownOpen = faulty < 0 || hasFault(errors, open) ? open : faulty;
    return editorPage(frame, { campaign, version, agents, open: shownOpen, ...edit });
  }
}

function hasFault(errors: FieldErrors, step: number): boolean {
  return Object.keys(errors).some((control) => control.startsWith(`steps.${step}.`));
}

/** Marks a stored definition; empty for a new draft. */
function markOf(version: Version | null): string {
  if (version === null) return '';
  return createHash('sha256').update(JSON.stringify(version.definition)).digest('base64url').slice(0, 16);
}

function jsonText(definition: unknown): string {
  return JSON.stringify(definition, null, 2);
}

/** Undefined: the text is no JSON. */
function jsonIn(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
