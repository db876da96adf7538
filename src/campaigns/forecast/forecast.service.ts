import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Assumption, type ForecastScene } from '../../domain/campaigns/forecast/scene.js';
import { parseAssumption } from '../../domain/campaigns/forecast/assumption.js';
import { Packs } from '../../compliance/packs/packs.service.js';
import { DatabaseBusyError } from '../../database/database-errors.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { AppError, invalid } from '../../http/app-error.js';
import { instantOf } from '../../http/call-result-fields.js';
import { CampaignVersionsService } from '../admin/campaign-versions.service.js';
import { CampaignStatsService } from '../admin/campaign-stats.service.js';
import { ForecastFactsService, type ReadBy, type VersionIds } from './forecast-facts.service.js';
import { ForecastThread } from './forecast-thread.js';
import {
  type ForecastRequest,
  type ForecastResource,
  MAX_ENROLLMENTS,
  MAX_FORECAST_DAYS,
} from './forecast.dto.js';

const DAY_MS = 86_400_000;
/** How long a forecast may take. */
export const MAX_FORECAST_MS = 300_000;
/** How long a team's forecast waits for those of other teams. */
const MAX_TURN_MS = 30_000;

/** A request whose fields have been checked against each other. */
interface CheckedForecast {
  from: number;
  until: number;
  assume: Assumption;
}

/**
 * Plays versions with simulated time, in a thread, one forecast at a time, round-robin by team. A forecast stores
 * nothing and places no calls.
 */
@Injectable()
export class ForecastService implements OnModuleDestroy {
  /** Tests set lower limits. */
  readonly limits = { enrollments: MAX_ENROLLMENTS, ms: MAX_FORECAST_MS, turnMs: MAX_TURN_MS };
  /** The teams whose forecast is played or waits for its turn. */
  private readonly teams = new Set<string>();
  private readonly turns = new KeyedSemaphore(1, 1);
  private running: { stop: AbortController; ended: Promise<unknown> } | undefined;

  constructor(
    private readonly versions: CampaignVersionsService,
    private readonly stats: CampaignStatsService,
    private readonly facts: ForecastFactsService,
    private readonly packs: Packs,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.running?.stop.abort(new AppError('SERVICE_UNAVAILABLE', 'The process is being stopped'));
    await this.running?.ended;
  }

  /** Whether a forecast is being played. */
  get isPlaying(): boolean {
    return this.running !== undefined;
  }

  /**
   * Plays the live enrollments of a version, or made-up contacts, from `from` until `until`.
   *
   * @param signal ends the forecast and its thread.
   * @throws AppError `INVALID_REQUEST` naming the field, `NOT_FOUND` for the team, the campaign or the
   *   version, `RATE_LIMITED` while the process plays another forecast of the team, or for too long those of other
   *   teams, `UNPROCESSABLE` for too many enrollments or a forecast that takes too long, or `CONFLICT` if erased
   *   numbers cannot be recognized.
   */
  async of(ids: VersionIds, request: ForecastRequest, signal: AbortSignal): Promise<ForecastResource> {
    const checkedRequest = checked(request);
    await this.versions.get(ids.teamId, ids.campaignId, ids.versionId);
    if (this.teams.has(ids.teamId)) throw busy();
    this.teams.add(ids.teamId);
    let hasTurn = false;
    const play = () => {
      hasTurn = true;
      return this.inTurn(ids, request, checkedRequest, signal);
    };
    try {
      return await this.turns.run(ids.teamId, play, this.limits.turnMs);
    } catch (error) {
      throw error instanceof DatabaseBusyError && !hasTurn ? busy() : error;
    } finally {
      this.teams.delete(ids.teamId);
    }
  }

  private async inTurn(
    ids: VersionIds,
    request: ForecastRequest,
    checkedRequest: CheckedForecast,
    signal: AbortSignal,
  ): Promise<ForecastResource> {
    signal.throwIfAborted();
    const stop = new AbortController();
    const tooLong = new AppError(
      'UNPROCESSABLE',
      `The forecast took more than ${this.limits.ms / 1_000} seconds; ask for less time or fewer contacts`,
    );
    const timer = setTimeout(() => stop.abort(tooLong), this.limits.ms);
    const playing = this.play(ids, request, checkedRequest, AbortSignal.any([signal, stop.signal]));
    this.running = { stop, ended: playing.catch(() => undefined) };
    try {
      return await playing;
    } finally {
      clearTimeout(timer);
      this.running = undefined;
    }
  }

  private async play(
    ids: VersionIds,
    request: ForecastRequest,
    { from, until, assume }: CheckedForecast,
    signal: AbortSignal,
  ): Promise<ForecastResource> {
    const { concurrency, seed } = request;
    const count = request.contacts ?? null;
    const { law: read, ...stored } = await this.facts.scene(ids);
    const law = { ...read, packs: read.setting.mode === 'off' ? [] : this.packs.all };
    const contacts = count === null ? null : { count, zones: request.zones ?? [] };
    const suppressed = contacts === null ? await this.suppressed(ids) : 0;
    const scene = { ...stored, from, until, concurrency, assume, seed, suppressed };
    const thread = new ForecastThread(
      { scene: contacts === null ? scene : startedScene(scene), contacts, law },
      signal,
    );
    try {
      if (contacts === null) await this.handOver(thread, ids, stored);
      const played = await thread.play();
      const { versionId } = ids;
      return { versionId, from: isoOf(from), until: isoOf(until), ...played };
    } finally {
      await thread.end();
    }
  }

  private async handOver(thread: ForecastThread, ids: VersionIds, stored: ReadBy): Promise<void> {
    let total = 0;
    for await (const { rows, count, erased } of this.facts.pages(ids, stored)) {
      total += count;
      if (total > this.limits.enrollments) {
        throw new AppError(
          'UNPROCESSABLE',
          `The version has more than ${this.limits.enrollments} live enrollments; ask for made-up contacts instead`,
        );
      }
      await thread.add(rows, erased);
    }
  }

  /** How many enrollments of the version the Do Not Call list has ended. */
  private async suppressed({ teamId, campaignId, versionId }: VersionIds): Promise<number> {
    const { byVersion } = await this.stats.of(teamId, campaignId);
    return byVersion.find((version) => version.versionId === versionId)?.ended.suppressed ?? 0;
  }
}

const busy = () => new AppError('RATE_LIMITED', 'The process plays another forecast, try again later');

/** Made-up contacts are played as if the campaign were active and nothing were paused. */
function startedScene(scene: ForecastScene): ForecastScene {
  return { ...scene, campaignStatus: 'active', paused: false };
}

function checked({ from, until, assume, contacts, zones }: ForecastRequest): CheckedForecast {
  const [begin, end] = [instantOf(from)?.getTime() ?? NaN, instantOf(until)?.getTime() ?? NaN];
  if (!(end > begin)) throw invalid('until must be after from');
  if (end - begin > MAX_FORECAST_DAYS * DAY_MS)
    throw invalid(`until must be at most ${MAX_FORECAST_DAYS} days after from`);
  if (zones != null && contacts == null)
    throw invalid('zones needs contacts: enrollments have their own zones');
  const parsed = parseAssumption(assume);
  if (!parsed.ok) throw invalid(parsed.message);
  return { from: begin, until: end, assume: parsed.value };
}

const isoOf = (at: number) => new Date(at).toISOString();
