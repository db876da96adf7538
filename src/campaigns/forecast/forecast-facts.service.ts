import { Injectable } from '@nestjs/common';
import { type ErasedFacts, type NumberOfTeam, readErasedFacts } from '../../dialing/facts/facts.js';
import { Config } from '../../config/config.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { permitted } from '../../database/permitted.js';
import { team } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';
import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { type ForecastScene } from '../../domain/campaigns/forecast/scene.js';
import { scopeOfEntries } from '../../domain/limited-entry.js';
import { teamRulesOf } from '../../domain/team-settings.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { AppError, notFound } from '../../http/app-error.js';
import { DEFINITION_FORMAT } from '../definition/campaign-version.entity.js';
import {
  FORECAST_PAGE,
  type ForecastPageRow,
  SCENE,
  SCENE_AGENTS,
  type SceneAgentRow,
  type SceneRow,
} from './forecast.sql.js';
import { type ErasedRow, type ForecastLaw } from './rows.js';

/** The facts of a forecast besides its request, and whether the team has numbers in their erased form. */
export type StoredScene = Omit<
  ForecastScene,
  'from' | 'until' | 'concurrency' | 'assume' | 'seed' | 'suppressed'
> & { hasErasedNumbers: boolean; law: Omit<ForecastLaw, 'packs'> };

/** What says how enrollments are read. */
export type ReadBy = Pick<StoredScene, 'hasErasedNumbers' | 'definition'>;

export interface VersionIds {
  teamId: string;
  campaignId: string;
  versionId: string;
}

/** A page of live enrollments, which is sent to the thread. */
export interface ForecastPage {
  rows: string;
  count: number;
  erased: ErasedRow[] | null;
}

/** The most enrollments of a page. One page blocks the event loop for a few milliseconds. */
const PAGE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';
/**
 * A definition without steps, so that the version places no calls. It stands for a definition that was stored
 * before definitions were validated.
 */
const NO_CALLS: CampaignDefinition = {
  steps: [],
  variables: {},
  hours: null,
  closedDates: [],
  caps: { maxAttempts: null, perNumber: [], afterConversation: null, lifetime: null },
};

/** Reads the stored facts of a forecast. It takes no lock, so each page has the state at its own read. */
@Injectable()
export class ForecastFactsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly config: Config,
  ) {}

  /** @throws AppError `NOT_FOUND` for the version. */
  scene({ teamId, campaignId, versionId }: VersionIds): Promise<StoredScene> {
    const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
    return own.run<StoredScene>([query(SCENE, teamId, campaignId, versionId)], ([result]) => {
      const row = result?.rows[0] as SceneRow | undefined;
      if (row === undefined) throw notFound('Campaign version');
      const definition = definitionOf(row);
      const ids = definition.steps.map(({ agentId }) => agentId);
      return {
        next: [query(SCENE_AGENTS, teamId, ids)],
        decide: ([agents]) => ({
          rollback: sceneOf(row, definition, (agents?.rows ?? []) as SceneAgentRow[]),
        }),
      };
    });
  }

  /**
   * The live enrollments of a version, page by page.
   * @throws AppError `CONFLICT` if erased numbers cannot be recognized.
   */
  async *pages(ids: VersionIds, scene: ReadBy): AsyncGenerator<ForecastPage> {
    for (const status of ['active', 'paused']) {
      for (let after: string | null = FIRST; after !== null;) {
        const { page, last } = await this.page(ids, scene, status, after);
        if (page.count > 0) yield page;
        after = page.count < PAGE ? null : last;
      }
    }
  }

  private page(
    { teamId, campaignId, versionId }: VersionIds,
    { hasErasedNumbers, definition }: ReadBy,
    status: string,
    after: string,
  ): Promise<{ page: ForecastPage; last: string | null }> {
    const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
    const callMs = this.config.callTimeLimitSeconds * 1_000;
    const conversation = definition.caps.afterConversation !== null;
    const read = query(
      FORECAST_PAGE,
      teamId,
      callMs,
      campaignId,
      versionId,
      status,
      after,
      PAGE,
      hasErasedNumbers,
      conversation,
    );
    return own.run([read], ([result]) => {
      const { rows, count, last, numbers } = result?.rows[0] as ForecastPageRow;
      const asked = (numbers ?? []).map((phoneNumber) => ({ teamId, phoneNumber }));
      return readErasedFacts(this.erasedNumbers, asked, (erased) => ({
        rollback: {
          page: { rows, count, erased: numbers && asked.map(erasedRowOf(erased, campaignId)) },
          last,
        },
      }));
    });
  }
}

const erasedRowOf =
  (erased: ErasedFacts, campaignId: string) =>
  (asked: NumberOfTeam): ErasedRow => {
    const unknown = {
      has_erased_numbers: true,
      on_do_not_call: false,
      limited_do_not_call: null,
      processed_at_ms: null,
    };
    const known = erased.addTo(unknown, asked);
    if (known.has_erased_numbers)
      throw new AppError(
        'CONFLICT',
        'The team has erased numbers, and ERASURE_KEY is not set or another one',
      );
    const { processedAt, lastConversationAt } = erased.callsTo(asked);
    const limited = known.limited_do_not_call ?? [];
    const of = { agentId: null, campaignId, byPurpose: false };
    return {
      onDoNotCall: known.on_do_not_call || scopeOfEntries(limited, of, new Date()) !== null,
      processedAt,
      lastConversationAt: lastConversationAt?.getTime() ?? null,
    };
  };

function definitionOf({ definition, definition_format: format }: SceneRow): CampaignDefinition {
  const parsed = format === DEFINITION_FORMAT ? parseDefinition(definition) : null;
  return parsed?.ok ? parsed.value : NO_CALLS;
}

function sceneOf(row: SceneRow, definition: CampaignDefinition, agents: SceneAgentRow[]): StoredScene {
  return {
    definition,
    // A draft is forecast as it will be called, so that a loaded campaign can be played before it is active.
    campaignStatus: row.campaign_status === 'draft' ? 'active' : row.campaign_status,
    paused: row.paused,
    retryWithinRedialWindow: row.retry_within_redial_window,
    team: teamRulesOf(row),
    planUsed: { at: row.now.getTime(), calls: row.plan_used ?? 0 },
    agents: new Map(
      agents.map((agent) => [
        agent.id,
        {
          timezone: agent.timezone,
          callingHours: agent.calling_hours,
          closedDates: agent.closed_dates,
          purpose: agent.purpose,
          deleted: agent.deleted,
          hasCallerId: agent.has_caller_id,
        },
      ]),
    ),
    pacing: {
      maxConcurrentCalls: row.pacing?.maxConcurrentCalls ?? null,
      callsPerMinute: row.pacing?.callsPerMinute ?? null,
    },
    hasErasedNumbers: row.has_erased_numbers,
    law: { setting: row.compliance, homeCountry: row.home_country },
  };
}
