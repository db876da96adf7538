import { type ComponentChildren } from 'preact';
import { type Permission } from '../../domain/permissions.js';
import { joinProblems, problemOf } from '../../http/app-error.js';
import { type Viewer } from '../../people/viewer.js';
import { address } from '../design/address.js';
import { PostForm } from './controls.js';
import { chosenTeam, type Frame, may } from './page-frame.service.js';
import { Document } from '../design/document.js';

/** The notices of forms. */
const NOTICES = new Map([
  ['resolved', 'The call is resolved.'],
  ['resultreported', 'The result is stored.'],
  ['canceled', 'The call is canceled.'],
  ['hungup', 'The carrier ends the call. The end is shown here when the carrier has reported it.'],
  ['canceledmany', 'The calls are canceled.'],
  ['canceledsome', 'Calls are canceled. More calls match; cancel again.'],
  ['added', 'The numbers are on the Do Not Call list. Calls that were waiting for them are blocked.'],
  ['erased', 'The person is erased.'],
  ['contactadded', 'The contact is added.'],
  ['contactchanged', 'The contact is changed.'],
  ['removed', 'The number is no longer on the Do Not Call list.'],
  ['whitelisted', 'The numbers are on the whitelist.'],
  ['unwhitelisted', 'The number is no longer on the whitelist.'],
  ['consentrecorded', 'The consent is recorded.'],
  [
    'consentended',
    'The consent is recorded. It is not in force: the person opted out later, or its last day is over.',
  ],
  ['consentrevoked', 'The consent is revoked.'],
  ['paused', 'Paused. Requests are still accepted; no call is dialed.'],
  ['stopped', 'Paused, and calls in progress are hung up where their carriers can.'],
  ['stoppedsome', 'Paused. Some calls are not hung up yet; stop again.'],
  ['resumed', 'Resumed. Calls that are due are dialed now.'],
  ['campaigncreated', 'The campaign is created. Its steps are below.'],
  ['campaignsaved', 'The settings are saved. They hold from the next call on.'],
  ['draftsaved', 'The draft is saved. Contacts are enrolled on it once it is published.'],
  [
    'versionpublished',
    'The version is current: contacts that are enrolled from now on follow it. Earlier enrollments stay until they are moved.',
  ],
  ['campaignpaused', 'The campaign is paused. It dials no call; calls under way go on.'],
  ['campaignresumed', 'The campaign is active. Enrollments that are due are called now.'],
  [
    'campaignmigrating',
    'The live enrollments of the version are being moved. No call is claimed until all are moved.',
  ],
  ['enrollmentpaused', 'The enrollment is paused. A call under way goes on.'],
  ['enrollmentresumed', 'The enrollment is active. If it is due, it is called now.'],
  ['enrollmentended', 'The enrollment has ended.'],
  ['agentcreated', 'The agent is created. Requests and campaigns can name it now.'],
  ['agentsaved', 'The agent is saved. Calls that are due from now on use it as it is.'],
  ['agentdeleted', 'The agent is deleted. Calls that were accepted before are still placed.'],
  ['numberadded', 'The number is added. Agents and pools can use it now.'],
  ['numberchanged', 'The number is changed. It holds from the next call on.'],
  ['poolcreated', 'The pool is created. Agents can name it now.'],
  ['poolsaved', 'The pool is saved. It holds from the next call on.'],
  ['stepdone', 'Done. The next step is below.'],
  ['callplaced', 'The call is placed. This page shows how it goes.'],
  ['calltested', 'The test call is placed.'],
  ['campaignarchived', 'The campaign is archived. Its enrollments end.'],
  ['accountadded', 'The carrier account is added. An agent can name it now.'],
  ['accountlimited', 'The limits of the account are set. They hold from the next call on.'],
  ['accountrotated', 'The credentials are replaced. The next call is placed with the new ones.'],
  ['accountdeleted', 'The carrier account and its credentials are deleted.'],
  ['keyrevoked', 'The key is revoked. Requests with it are refused.'],
  ['settingssaved', 'The settings are saved. They hold from the next call on.'],
  ['nothingchanged', 'Nothing was changed.'],
  ['memberadded', 'The person is in the team, and signs in as before.'],
  ['memberremoved', 'The person is no longer in the team.'],
  ['rolechanged', 'The role is changed. The person signs in again.'],
  ['operatoradded', 'The person is an operator, and signs in again.'],
  ['operatorremoved', 'The person is no longer an operator.'],
  ['importcanceled', 'The import is canceled. What was imported by then stays.'],
  ['importstarted', 'The import is started.'],
  ['webhookchanged', 'The endpoint is changed. The next delivery is sent so.'],
  ['webhookenabled', 'The endpoint is enabled. Events that waited are sent now.'],
  ['webhookdisabled', 'The endpoint is disabled. Its events wait.'],
  ['webhookdeleted', 'The endpoint is deleted, and gets no events any more.'],
  ['webhooktested', 'A test event is sent. What the endpoint answered is below.'],
  ['deliveryretried', 'The event is sent again. Renew this page to see the answer.'],
  ['webhookreplayed', 'The kept events of the range are sent again.'],
  [
    'webhookreplayedpart',
    'A part of the events is sent again. Send the form once more for those that are left.',
  ],
  ['columnschanged', 'The columns are changed. Look at the rows again.'],
  [
    'columnschangedfirst',
    'The columns were changed, so nothing is imported yet. Look at the rows, and import then.',
  ],
  ['importundoing', 'The import is being undone.'],
  ['zonechanged', 'Your time zone is saved. All times are shown in it.'],
  ['teamcreated', 'The team is created.'],
]);

interface SectionLink {
  label: string;
  /** Below the base of the scope; an absolute path for what is elsewhere. */
  path: string;
  /** Without it, the section is shown to every viewer of the scope. */
  permission?: Permission;
}

const LISTS = {
  overview: { label: 'Overview', path: '' },
  calls: { label: 'Calls', path: 'calls' },
  campaigns: { label: 'Campaigns', path: 'campaigns' },
  numbers: { label: 'Numbers', path: 'numbers' },
  'do-not-call': { label: 'Do Not Call', path: 'do-not-call' },
} satisfies Record<string, SectionLink>;

const OF_TEAM = {
  overview: LISTS.overview,
  calls: LISTS.calls,
  contacts: { label: 'Contacts', path: 'contacts' },
  campaigns: LISTS.campaigns,
  agents: { label: 'Agents', path: 'agents' },
  numbers: LISTS.numbers,
  'do-not-call': LISTS['do-not-call'],
  consents: { label: 'Consents', path: 'consents' },
  imports: { label: 'Imports', path: 'imports' },
  webhooks: { label: 'Webhooks', path: 'webhooks', permission: 'webhooks.change' },
  settings: { label: 'Settings', path: 'settings/team' },
  audit: { label: 'Audit', path: 'audit', permission: 'audit.read' },
} satisfies Record<string, SectionLink>;

const OF_PLATFORM = {
  ...LISTS,
  teams: { label: 'Teams', path: 'teams' },
  operators: { label: 'Operators', path: 'operators' },
  carriers: { label: 'Carriers', path: 'carriers' },
  health: { label: 'System', path: 'health' },
  queue: { label: 'Queue', path: 'queues' },
  audit: { label: 'Audit', path: 'audit' },
} satisfies Record<string, SectionLink>;

/** The sections of a scope, in their order. */
const SECTIONS: Record<Frame['scope'], Partial<Record<Section, SectionLink>>> = {
  team: OF_TEAM,
  platform: OF_PLATFORM,
};

export type Section = keyof typeof OF_TEAM | keyof typeof OF_PLATFORM;

/** The most teams in the switcher; the others are on the page of all teams. */
const MOST_SWITCHED = 20;

interface LayoutProps {
  frame: Frame;
  section: Section | null;
  title: string;
  /** As of `Document`. */
  live?: boolean;
  children: ComponentChildren;
}

/** A whole page. */
export function Layout({ frame, section, title, live, children }: LayoutProps) {
  const { request, team, paused, problem } = frame;
  const done = NOTICES.get(request.notice ?? '');
  return (
    <Document title={title} live={live}>
      <Header frame={frame} section={section} />
      <main>
        {done !== undefined && (
          <p class="notice" role="status">
            {done}
          </p>
        )}
        {problem !== null && (
          <p class="notice bad" role="alert" id="problem">
            {joinProblems([problemOf(problem)])}
          </p>
        )}
        {paused && <p class="notice warn">Everything is paused: no call is dialed for any team.</p>}
        {team?.paused && <p class="notice warn">{team.name} is paused: no call is dialed for it.</p>}
        {children}
      </main>
    </Document>
  );
}

/** The team or the platform, the search, the person, and the sections. */
function Header({ frame, section }: Pick<LayoutProps, 'frame' | 'section'>) {
  const { base, request } = frame;
  const { viewer, role } = request;
  return (
    <header class="top">
      <div>
        <a class="brand" href="/start">
          Outdial
        </a>
        {viewer !== null && <Switcher frame={frame} viewer={viewer} />}
        {role !== null && (
          <form class="search" method="get" action={`${base}/search`} role="search">
            <input
              type="search"
              name="q"
              aria-label="Search"
              placeholder="Number, name, id"
              aria-keyshortcuts="/"
              autocomplete="off"
            />
          </form>
        )}
        {viewer !== null && <Person frame={frame} viewer={viewer} />}
      </div>
      {role !== null && <Sections frame={frame} section={section} />}
    </header>
  );
}

function Sections({ frame, section }: Pick<LayoutProps, 'frame' | 'section'>) {
  const { base, scope, request } = frame;
  const parameters = { teamId: chosenTeam(frame), timezone: request.parameter('timezone') };
  return (
    <nav aria-label="Sections">
      {Object.entries(SECTIONS[scope])
        .filter(([, { permission }]) => permission === undefined || may(frame, permission))
        .map(([name, { label, path }]) => (
          <a
            href={path.startsWith('/') ? path : address(path === '' ? base : `${base}/${path}`, parameters)}
            aria-current={name === section ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
    </nav>
  );
}

interface PersonProps {
  frame: Frame;
  viewer: Viewer;
}

/** Leads to the viewer's other teams, and operators to the platform. */
function Switcher({ frame: { scope, team, teams }, viewer }: PersonProps) {
  const isPlatform = scope === 'platform' && viewer.operator;
  const here = scope === 'team' ? team : null;
  const others = teams.filter(({ id }) => id !== here?.id).slice(0, MOST_SWITCHED);
  return (
    <details class="menu switcher">
      <summary>
        <span>{here?.name ?? (isPlatform ? 'Platform' : 'Your teams')}</span>
      </summary>
      <ul>
        {here !== null && (
          <li>
            <a href={`/t/${here.id}`} aria-current="true">
              {here.name}
            </a>
          </li>
        )}
        {others.map(({ id, name }) => (
          <li>
            <a href={`/t/${id}`}>{name}</a>
          </li>
        ))}
        {viewer.operator && (
          <li class="apart">
            <a href="/platform" aria-current={isPlatform ? 'true' : undefined}>
              Platform
            </a>
          </li>
        )}
        <li>
          <a href={viewer.operator ? '/platform/teams' : '/start?all=1'}>All teams</a>
        </li>
      </ul>
    </details>
  );
}

function Person({ frame, viewer }: PersonProps) {
  return (
    <details class="menu person">
      <summary>
        <span>{viewer.email}</span>
      </summary>
      <ul>
        <li>
          <a href="/account">Account</a>
        </li>
        <li>
          <PostForm frame={frame} action="/logout">
            <button>Sign out</button>
          </PostForm>
        </li>
      </ul>
    </details>
  );
}
