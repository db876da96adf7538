import { type ComponentChildren } from 'preact';
import { duration } from '../../domain/narrator/duration.js';
import { backlogTile, CampaignBacklogSection } from './campaign-backlog.view.js';
import { HoursChart } from '../design/chart.view.js';
import { callsOf, DUE } from '../calls/call-filters.js';
import { CallerIdsSection } from './caller-ids.view.js';
import { PostForm, Question, TeamSelect } from '../frame/controls.js';
import {
  callsIn,
  completeness,
  CountCards,
  figure,
  isCutShort,
  overdueOf,
  VERY_LATE_MS,
} from './counts.view.js';
import { Layout } from '../frame/layout.js';
import { count, limitText, timeIn } from '../design/local-time.js';
import { hearsChanges, renewed } from '../live/live.view.js';
import { type Overview } from './overview.js';
import { NeedsSection } from './needs.view.js';
import { OverdueSection, UnknownSection } from './open-calls.view.js';
import { Instant } from '../design/instant.view.js';
import { chosenTeam, type Frame, may } from '../frame/page-frame.service.js';
import { address } from '../design/address.js';
import { FailingEndpointsSection, WebhookEndpointsSection } from './webhook-endpoints.view.js';
import { isSilent } from './workers.view.js';

/**
 * A call that is overdue for longer is shown as a warning. A lost wake-up is usually replaced
 * earlier.
 */
const LATE_MS = 15_000;

interface OverviewProps {
  frame: Frame;
  overview: Overview;
}

export function overviewPage(frame: Frame, overview: Overview) {
  const { team, zone } = frame;
  const { underWay, counts, hours, unknownCalls, overdueCalls } = overview;
  return (
    <Layout frame={frame} section="overview" title={team?.name ?? 'Overview'} live>
      <h1>{team?.name ?? 'All teams'}</h1>
      {frame.scope === 'platform' && (
        <form class="bar" method="get" action={frame.base}>
          <TeamSelect frame={frame} none="All teams" />
          <button>Show</button>
        </form>
      )}
      <ZoneForm frame={frame} />
      {team !== null && (
        <p class="soft small" id="team-limit">
          Active calls: {limitText(team.maxConcurrentCalls)}.
        </p>
      )}
      {overview.waits && (
        <p id="waits">
          No request with an API key has come yet.{' '}
          <a href={`${frame.base}/getting-started`}>Getting started</a>
        </p>
      )}
      <div {...hearsChanges(frame.base)} />
      <div {...renewed('glance', frame.request.self)}>
        <p class="soft small" id="as-of">
          As of <Instant zone={zone} at={frame.now} />, {zone}
        </p>
        <NeedsSection frame={frame} overview={overview} />
        <Tiles frame={frame} overview={overview} />
        <section class="card" id="upcoming">
          <h2>Next 24 hours</h2>
          <HoursChart
            hours={hours}
            zone={zone}
            listOf={({ start }) => callsOf(frame, { due: start.toISOString() })}
          />
          <p class="soft small">
            Scheduled calls by the hour in {zone}. The first bar is the current hour.{' '}
            {completeness(counts, counts.moreUpcoming)}
          </p>
        </section>
        <CountCards frame={frame} underWay={underWay} counts={counts} />
        <FailingEndpointsSection frame={frame} endpoints={overview.failingEndpoints} />
        <WebhookEndpointsSection frame={frame} endpoints={overview.disabledEndpoints} />
      </div>
      <UnknownSection frame={frame} calls={unknownCalls} total={callsIn(underWay, 'dial_unknown')} />
      <OverdueSection frame={frame} calls={overdueCalls} />
      <CampaignBacklogSection frame={frame} campaigns={overview.campaigns} />
      <CallerIdsSection frame={frame} callerIds={overview.callerIds} />
      <PauseSection frame={frame} />
    </Layout>
  );
}

/** Chooses the zone in which the person reads all times, which stays chosen. */
function ZoneForm({ frame }: { frame: Frame }) {
  const { viewer } = frame.request;
  const back = address(frame.base, { teamId: chosenTeam(frame) });
  return (
    <PostForm frame={frame} action="/account/timezone" back={back} inBar>
      <label>
        Time zone
        <input
          name="timezone"
          value={frame.request.parameter('timezone') ?? viewer?.timezone ?? ''}
          placeholder={frame.zone}
          autocomplete="off"
          autocapitalize="none"
        />
      </label>
      <button>Keep</button>
    </PostForm>
  );
}

function Tiles({ frame, overview }: OverviewProps) {
  const { overdue, underWay, counts, hours } = overview;
  const { lateMs, calls } = overdueOf(frame, overview);
  const late = lateMs > VERY_LATE_MS ? 'bad' : lateMs > LATE_MS ? 'warn' : '';
  const unknown = callsIn(underWay, 'dial_unknown');
  const backlog = backlogTile(frame, overview.campaigns);
  const upcoming = hours.reduce((sum, hour) => sum + hour.calls, 0);
  return (
    <div class="tiles">
      <Tile id="overdue" mood={late} figure={overdue.calls === 0 ? 'None' : duration(lateMs)}>
        Overdue:{' '}
        <a href={callsOf(frame, { due: DUE.overdue })}>
          {calls} {overdue.calls === 1 ? 'call' : 'calls'}
        </a>
        {overdue.paused > 0 && (
          <>
            {' and '}
            <a href={callsOf(frame, { due: DUE.paused })}>{count(overdue.paused)} more</a>
            {' that wait for a pause to end'}
          </>
        )}
      </Tile>
      <Tile
        id="unknown"
        mood={unknown > 0 ? 'warn' : ''}
        figure={figure(unknown, isCutShort(underWay))}
        list={callsOf(frame, { status: 'dial_unknown' })}
      >
        With unknown outcome
      </Tile>
      <Tile
        id="next"
        mood=""
        figure={figure(upcoming, counts.moreUpcoming)}
        list={callsOf(frame, { due: DUE.nextDay })}
      >
        Scheduled in the next 24 hours
      </Tile>
      <Tile id="campaigns" mood={backlog.mood} figure={backlog.figure}>
        {backlog.text}
      </Tile>
      <WorkersTile frame={frame} overview={overview} />
    </div>
  );
}

function WorkersTile({ frame, overview: { sweepers } }: OverviewProps) {
  const { now, zone } = frame;
  const [last] = sweepers;
  const list = may(frame, 'platform.read') ? '/platform/health#workers' : undefined;
  if (last === undefined) {
    return (
      <Tile id="workers" mood="bad" figure="None" list={list}>
        No worker runs, so no call is placed
      </Tile>
    );
  }
  return (
    <Tile
      id="workers"
      mood={isSilent(now, last) ? 'bad' : ''}
      figure={`${duration(now.getTime() - last.ran_at.getTime())} ago`}
      list={list}
    >
      {`A worker was last seen (${timeIn(zone, last.ran_at).slice(-5)})`}
    </Tile>
  );
}

interface TileProps {
  id: string;
  mood: 'warn' | 'bad' | '';
  figure: string;
  /** The list of what the figure counts. */
  list?: string;
  /** What the figure means. */
  children: ComponentChildren;
}

function Tile({ id, mood, figure, list, children }: TileProps) {
  const name = `tile-${id}-name`;
  return (
    <div class={`tile ${mood}`} id={`tile-${id}`}>
      <span class="name" id={name}>
        {children}
      </span>
      <b>
        {list === undefined ? (
          figure
        ) : (
          <a href={list} aria-describedby={name}>
            {figure}
          </a>
        )}
      </b>
    </div>
  );
}

function PauseSection({ frame }: { frame: Frame }) {
  const { paused, team: shown } = frame;
  const ofPlatform = frame.scope === 'platform' && may(frame, 'platform.change');
  const team = may(frame, 'team.stop') ? shown : null;
  if (team === null && !ofPlatform) return null;
  return (
    <section class="card" id="pause">
      <h2>Pause and resume</h2>
      <p class="soft small">
        While paused, requests are accepted and calls wait. A call that expires meanwhile is not dialed later.
      </p>
      <div class="choices">
        {team !== null && (
          <Toggle frame={frame} path={`/t/${team.id}`} paused={team.paused} what={team.name} />
        )}
        {ofPlatform && <Toggle frame={frame} path="/platform" paused={paused} what="everything" />}
        {team !== null && <StopForm frame={frame} path={`/t/${team.id}`} what={team.name} />}
        {ofPlatform && <StopForm frame={frame} path="/platform" what="everything" />}
      </div>
    </section>
  );
}

/** Pauses, and hangs up the calls in progress. */
function StopForm({ frame, path, what }: Omit<ToggleProps, 'paused'>) {
  return (
    <Question
      frame={frame}
      action={`${path}/stop`}
      what={`Stop ${what}`}
      answer={`Yes, stop ${what} and hang up`}
    >
      Pauses, and hangs up calls in progress, also in the middle of a conversation.
    </Question>
  );
}

interface ToggleProps {
  frame: Frame;
  path: string;
  paused: boolean;
  what: string;
}

function Toggle({ frame, path, paused, what }: ToggleProps) {
  if (paused) {
    return (
      <PostForm frame={frame} action={`${path}/resume`}>
        <button class="main">Resume {what}</button>
      </PostForm>
    );
  }
  return (
    <details>
      <summary>Pause {what}…</summary>
      <PostForm frame={frame} action={`${path}/pause`}>
        <button class="danger">Yes, dial no call for {what}</button>
      </PostForm>
    </details>
  );
}
