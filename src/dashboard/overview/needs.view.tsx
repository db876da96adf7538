import { type ComponentChildren } from 'preact';
import { duration } from '../../domain/narrator/duration.js';
import { callsOf, DUE } from '../calls/call-filters.js';
import { address } from '../design/address.js';
import { count, timeIn } from '../design/local-time.js';
import { Badge } from '../frame/controls.js';
import { Instant } from '../design/instant.view.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { isStalled } from './campaign-backlog.view.js';
import { callsIn, figure, isCutShort, overdueOf, VERY_LATE_MS } from './counts.view.js';
import { type Overview } from './overview.js';
import { isSilent } from './workers.view.js';

/** The most imports, endpoints and campaigns that are named one by one. */
const NAMED = 5;

interface Need {
  mood: 'warn' | 'bad';
  /** What is wrong, in a word or two. */
  badge: string;
  text: ComponentChildren;
  /** Where something can be done about it. */
  href?: string;
  act?: string;
}

/** What needs attention, the worst first; nothing when there is nothing. */
export function NeedsSection({ frame, overview }: { frame: Frame; overview: Overview }) {
  const needs = needsOf(frame, overview);
  if (needs.length === 0) return null;
  return (
    <section class="card needs" id="needs">
      <h2>Needs attention</h2>
      <ul class="needs">
        {needs.map(({ mood, badge, text, href, act }) => (
          <li>
            <Badge mood={mood}>{badge}</Badge> <span>{text}</span>{' '}
            {href !== undefined && <a href={href}>{act}</a>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function needsOf(frame: Frame, overview: Overview): Need[] {
  const needs = [
    ...ofWorkers(frame, overview),
    ...ofOverdue(frame, overview),
    ...ofCarriers(frame, overview),
    ...ofUnknown(frame, overview),
    ...ofCampaigns(frame, overview),
    ...ofWebhooks(frame, overview),
    ...ofImports(frame, overview),
  ];
  return [...needs.filter(({ mood }) => mood === 'bad'), ...needs.filter(({ mood }) => mood === 'warn')];
}

function ofWorkers({ now }: Frame, { sweepers: [last] }: Overview): Need[] {
  if (last !== undefined && !isSilent(now, last)) return [];
  const lastRan =
    last === undefined ? '' : `The last one ran ${duration(now.getTime() - last.ran_at.getTime())} ago. `;
  const text = `No worker is running. ${lastRan}No call is dialed.`;
  return [{ mood: 'bad', badge: 'No worker', text }];
}

function ofOverdue(frame: Frame, overview: Overview): Need[] {
  const { lateMs, calls } = overdueOf(frame, overview);
  if (lateMs <= VERY_LATE_MS) return [];
  return [
    {
      mood: 'bad',
      badge: 'Overdue',
      text: `${calls} ${areCalls(overview.overdue.calls)} overdue, the first for ${duration(lateMs)}.`,
      href: callsOf(frame, { due: DUE.overdue }),
      act: 'See them',
    },
  ];
}

function ofCarriers(frame: Frame, { carriersAway }: Overview): Need[] {
  const { base, scope, now } = frame;
  return carriersAway.map(({ carrier, calls, at }) => ({
    mood: 'bad',
    badge: 'Carrier away',
    text:
      `${carrier} could not be reached ${duration(now.getTime() - at.getTime())} ago; ` +
      `at least ${count(calls)} ${areCalls(calls)} not dialed because of it. Calls that can wait are tried again.`,
    href: scope === 'platform' ? `${base}/carriers` : `${base}/settings/carriers`,
    act: 'Check the carrier',
  }));
}

function ofUnknown(frame: Frame, { underWay }: Overview): Need[] {
  const unknown = callsIn(underWay, 'dial_unknown');
  if (unknown === 0) return [];
  return [
    {
      mood: 'warn',
      badge: 'Unknown outcome',
      text: `${figure(unknown, isCutShort(underWay))} ${unknown === 1 ? 'call has' : 'calls have'} no known outcome, and ${unknown === 1 ? 'is' : 'are'} not dialed again.`,
      href: callsOf(frame, { status: 'dial_unknown' }),
      act: 'See them',
    },
  ];
}

function ofCampaigns({ now, request, scope }: Frame, { campaigns }: Overview): Need[] {
  return campaigns
    .filter((row) => isStalled(now, row))
    .slice(0, NAMED)
    .map((row) => ({
      mood: 'bad',
      badge: 'Stalled',
      text: `${of(scope, row.team)}${row.name} has people who are due, and has placed no call for 10 minutes.`,
      href: address(`/t/${row.team_id}/campaigns/${row.id}`, { timezone: request.parameter('timezone') }),
      act: 'See the campaign',
    }));
}

function ofWebhooks(frame: Frame, { failingEndpoints, disabledEndpoints }: Overview): Need[] {
  const { zone, scope } = frame;
  return [
    ...failingEndpoints
      .slice(0, NAMED)
      .map(({ id, team_id: teamId, team, url, failing_since: since }): Need => ({
        mood: 'warn',
        badge: 'Webhook fails',
        text: `${of(scope, team)}${new URL(url).host} has been failing since ${timeIn(zone, since)}.`,
        ...endpointLink(frame, teamId, id),
      })),
    ...disabledEndpoints.slice(0, NAMED).map(({ id, team_id: teamId, team, url, disabled_at: at }): Need => ({
      mood: 'bad',
      badge: 'Webhook disabled',
      text: `${of(scope, team)}${new URL(url).host} has received no events since ${timeIn(zone, at)}.`,
      ...endpointLink(frame, teamId, id),
    })),
  ];
}

/** The page of an endpoint is for those who may change it. */
function endpointLink(frame: Frame, teamId: string, id: string): Pick<Need, 'href' | 'act'> {
  return may(frame, 'webhooks.change')
    ? { href: `/t/${teamId}/webhooks/${id}`, act: 'See its deliveries' }
    : {};
}

function ofImports({ zone, scope }: Frame, { failedImports }: Overview): Need[] {
  return failedImports.slice(0, NAMED).map(({ id, team_id: teamId, team, finished_at: at, error }) => ({
    mood: 'warn',
    badge: 'Import failed',
    text: (
      <>
        {of(scope, team)}An import failed on <Instant zone={zone} at={at} />
        {error === null ? '.' : `: ${error}.`}
      </>
    ),
    href: `/t/${teamId}/imports/${id}`,
    act: 'See the import',
  }));
}

const of = (scope: Frame['scope'], team: string): string => (scope === 'platform' ? `${team}: ` : '');

const areCalls = (calls: number): string => (calls === 1 ? 'call is' : 'calls are');
