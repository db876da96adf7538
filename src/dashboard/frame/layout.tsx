import { type ComponentChildren } from 'preact';
import { joinProblems, problemOf } from '../../http/app-error.js';
import { address } from '../design/address.js';
import { PostForm } from './controls.js';
import { type Frame } from './page-frame.service.js';
import { Document } from '../design/document.js';
import { KEYS_VERSION } from '../design/keys.js';

/** The notices of forms. */
const NOTICES = new Map([
  ['resolved', 'The call is resolved.'],
  ['canceled', 'The call is canceled.'],
  ['hungup', 'The carrier ends the call. The end is shown here when the carrier has reported it.'],
  ['canceledmany', 'The calls are canceled.'],
  ['canceledsome', 'Calls are canceled. More calls match; cancel again.'],
  ['added', 'The numbers are on the Do Not Call list. Calls that were waiting for them are blocked.'],
  ['erased', 'The person is erased.'],
  ['removed', 'The number is no longer on the Do Not Call list.'],
  ['paused', 'Paused. Requests are still accepted; no call is dialed.'],
  ['stopped', 'Paused, and calls in progress are hung up where their carriers can.'],
  ['stoppedsome', 'Paused. Some calls are not hung up yet; stop again.'],
  ['resumed', 'Resumed. Calls that are due are dialed now.'],
  ['campaignpaused', 'The campaign is paused. It dials no call; calls under way go on.'],
  ['campaignresumed', 'The campaign is active. Enrollments that are due are called now.'],
  [
    'campaignmigrating',
    'The live enrollments of the version are being moved. No call is claimed until all are moved.',
  ],
  ['enrollmentpaused', 'The enrollment is paused. A call under way goes on.'],
  ['enrollmentresumed', 'The enrollment is active. If it is due, it is called now.'],
  ['enrollmentended', 'The enrollment has ended.'],
  ['stepdone', 'Done. The next step is below.'],
  ['calltested', 'The test call is placed.'],
  ['campaignarchived', 'The campaign is archived. Its enrollments end.'],
  ['keyrevoked', 'The key is revoked. Requests with it are refused.'],
  ['settingssaved', 'The settings are saved. They hold from the next call on.'],
  ['nothingchanged', 'Nothing was changed.'],
  ['memberadded', 'The person is in the team, and signs in as before.'],
  ['memberremoved', 'The person is no longer in the team.'],
  ['rolechanged', 'The role is changed. The person signs in again.'],
  ['operatoradded', 'The person is an operator, and signs in again.'],
  ['operatorremoved', 'The person is no longer an operator.'],
  ['teamcreated', 'The team is created.'],
]);

const SECTIONS = [
  ['overview', 'Overview', ''],
  ['calls', 'Calls', 'calls'],
  ['campaigns', 'Campaigns', 'campaigns'],
  ['numbers', 'Numbers', 'numbers'],
  ['do-not-call', 'Do Not Call', 'do-not-call'],
  ['audit', 'Audit', 'audit'],
] as const;
const TEAM_SECTIONS = [...SECTIONS, ['settings', 'Settings', 'settings']] as const;
const PLATFORM_SECTIONS = [
  ...SECTIONS,
  ['teams', 'Teams', 'teams'],
  ['operators', 'Operators', 'operators'],
  ['carriers', 'Carriers', 'carriers'],
  ['health', 'Health', 'health'],
] as const;

type Section = (typeof TEAM_SECTIONS | typeof PLATFORM_SECTIONS)[number][0];

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

/** The team or the platform, its sections, and the person. */
function Header({ frame, section }: Pick<LayoutProps, 'frame' | 'section'>) {
  const { base, scope, team, request } = frame;
  const parameters = {
    teamId: scope === 'platform' ? team?.id : undefined,
    timezone: request.parameter('timezone'),
  };
  return (
    <header class="top">
      <div>
        <span class="brand">
          <a href="/start">Outdial</a> {scope === 'platform' ? 'Platform' : team?.name}
        </span>
        <nav aria-label="Sections">
          {(scope === 'platform' ? PLATFORM_SECTIONS : TEAM_SECTIONS).map(([name, label, path]) => (
            <a
              href={address(path === '' ? base : `${base}/${path}`, parameters)}
              aria-current={name === section ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
          {scope === 'platform' && <a href="/admin/queues">Queue</a>}
        </nav>
        <form class="find" role="search" method="get" action={`${base}/search`}>
          <input
            name="q"
            type="search"
            aria-label="Search"
            aria-keyshortcuts="/"
            placeholder="Number, name, e-mail, id"
            autocomplete="off"
          />
          <button>Search</button>
        </form>
        <script src={`/assets/keys.js?v=${KEYS_VERSION}`} defer />
        <PostForm frame={frame} action="/logout">
          <button>Sign out</button>
        </PostForm>
      </div>
    </header>
  );
}
