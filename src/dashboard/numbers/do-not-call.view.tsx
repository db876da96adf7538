import { Instant } from '../design/instant.view.js';
import { type DoNotCallService } from '../../suppression/do-not-call.service.js';
import {
  type LimitedDoNotCallResource,
  type SuppressionEntryResource,
} from '../../suppression/number-lists.dto.js';
import { PURPOSES } from '../../domain/compliance/pack.js';
import { type Page } from '../../http/page.js';
import { PURPOSE_WORDS } from '../consents/consent-words.js';
import { type Option, SelectRow, TextRow } from '../design/form-field.view.js';
import { RegistersSection } from '../platform/registers.view.js';
import { address } from '../design/address.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { Badge, NumberLink, PhoneField, PostForm, TeamMissing, TeamSelect } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type TeamRow } from '../frame/teams.sql.js';
import { chosenTeam, type Frame, may } from '../frame/page-frame.service.js';

/** An entry as it is shown. */
export type Entry = Awaited<ReturnType<DoNotCallService['get']>>;

/** The entries that hold only for a part or a time, and the campaigns and agents to which one can be limited. */
export interface ListLimits {
  limited: Page<LimitedDoNotCallResource>;
  campaigns: readonly Option[];
  agents: readonly Option[];
}

/** What limits the entries of a form. `extent` is empty, or such as `campaign:<id>`; `lastDay` is a date. */
export interface TypedLimits {
  extent: string;
  purpose: string;
  lastDay: string;
}

/** The public registers that hold for every team. */
export type Registers = Omit<Parameters<typeof RegistersSection>[0], 'frame'>;

/** The page's data about one team's list; `entry` is null if the requested number is not on it. */
export interface DoNotCallList extends ListLimits {
  entries: Page<Entry>;
  asked: {
    phoneNumber: string;
    entry: Entry | null;
    /** The newest first. */
    history: readonly SuppressionEntryResource[];
  } | null;
  corrections: Corrections | null;
}

/** The result of a form that was refused or only partly carried out, and the text that stays in the form. */
export interface Corrections extends TypedLimits {
  numbers: string;
  reason: string;
  /** Why the form was refused as a whole; null if only some lines were rejected. */
  problem: string | null;
  added: number;
  rejected: { line: string; why: string }[];
}

interface ListProps {
  frame: Frame;
  team: TeamRow;
  list: DoNotCallList;
}

/** A team's Do Not Call list; without a team, the form that chooses one, and the platform's own list. */
export function doNotCallPage(
  frame: Frame,
  list: DoNotCallList | null,
  platform: DoNotCallList | null = null,
  registers: Registers | null = null,
) {
  const { team } = frame;
  return (
    <Layout frame={frame} section="do-not-call" title="Do Not Call">
      <h1>Do Not Call</h1>
      <p class="soft">A number on the list is never dialed by its team, from the moment it is added.</p>
      <form class="bar" method="get" action={`${frame.base}/do-not-call`}>
        <TeamSelect frame={frame} none={team === null ? 'Choose a team' : undefined} />
        <PhoneField value={list?.asked?.phoneNumber ?? frame.request.phoneNumber} />
        <button class="main">Look up</button>
      </form>
      <TeamMissing frame={frame} />
      {team !== null && list !== null && (
        <>
          <LookedUp frame={frame} team={team} list={list} />
          {may(frame, 'suppressions.change') && (
            <AddSection
              frame={frame}
              title={`Add numbers for ${team.name}`}
              action={`/t/${team.id}/do-not-call`}
              list={list}
            />
          )}
          <ListSection frame={frame} team={team} list={list} />
        </>
      )}
      {team !== null && list !== null && <LimitedSection frame={frame} team={team} list={list} />}
      {platform !== null && <PlatformList frame={frame} list={platform} />}
      {registers !== null && <RegistersSection frame={frame} {...registers} />}
    </Layout>
  );
}

function LookedUp({ frame, team, list }: ListProps) {
  const { asked } = list;
  if (asked === null) return null;
  const { phoneNumber, entry, history } = asked;
  return (
    <section class="card" id="looked-up">
      <h2>
        <NumberLink teamId={team.id} phoneNumber={phoneNumber} />{' '}
        {entry === null ? <Badge mood="good">Not on the list</Badge> : <Badge mood="bad">On the list</Badge>}
      </h2>
      {entry === null ? (
        <p class="soft">{team.name} may dial it as far as this list goes.</p>
      ) : (
        <>
          <p>
            {reasonOf(entry)}, added <Instant zone={frame.zone} at={entry.createdAt} />.
          </p>
          <RemoveForm frame={frame} team={team} entry={entry} />
        </>
      )}
      <h3>History</h3>
      {history.length === 0 ? (
        <p class="soft">The number was never added or removed, as far as it is kept.</p>
      ) : (
        <ol class="history">
          {history.map((one) => (
            <li>
              <Instant zone={frame.zone} at={one.recordedAt} />
              <span>
                <b>{one.action === 'added' ? 'Added' : 'Removed'}</b> {extentText(list, one)}
                {one.expiresAt !== null && (
                  <>
                    , until <Instant zone={frame.zone} at={one.expiresAt} />
                  </>
                )}
                , {sourceText(one)}
                {one.reason !== null && `: ${one.reason}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The numbers that no team calls. */
function PlatformList({ frame, list }: { frame: Frame; list: DoNotCallList }) {
  return (
    <>
      <h2>The platform’s own list</h2>
      <p class="soft">No team may call these numbers.</p>
      {may(frame, 'platform.change') && (
        <AddSection
          frame={frame}
          title="Add numbers for every team"
          action="/platform/do-not-call"
          list={list}
        />
      )}
      <ListSection frame={frame} team={null} list={list} />
    </>
  );
}

interface AddProps {
  frame: Frame;
  title: string;
  /** Where the form is sent. */
  action: string;
  list: DoNotCallList;
}

function AddSection({ frame, title, action, list }: AddProps) {
  const { asked, corrections } = list;
  const isOfTeam = action.startsWith('/t/');
  const lookedUp = asked !== null && asked.entry === null ? asked.phoneNumber : '';
  return (
    <section class="card" id="add">
      <h2>{title}</h2>
      {corrections !== null && <Rejected {...corrections} />}
      <PostForm frame={frame} action={action}>
        <p>
          <label>
            Phone numbers, one a line
            <textarea name="phoneNumbers" required>
              {corrections?.numbers ?? lookedUp}
            </textarea>
          </label>
        </p>
        <p>
          <label>
            Reason, if any
            <input name="reason" maxlength={500} value={corrections?.reason ?? ''} autocomplete="off" />
          </label>
        </p>
        {isOfTeam && <LimitFields frame={frame} list={list} />}
        <button class="main">Add to Do Not Call</button>
      </PostForm>
    </section>
  );
}

/** What limits an entry; closed, because most entries hold for the whole team and without end. */
function LimitFields({ frame, list: { campaigns, agents, corrections } }: Pick<ListProps, 'frame' | 'list'>) {
  const { extent = '', purpose = '', lastDay = '' } = corrections ?? {};
  return (
    <details open={extent !== '' || purpose !== '' || lastDay !== ''}>
      <summary>Only for a campaign, an agent, a purpose or a time</summary>
      <SelectRow
        name="extent"
        label="Holds for"
        chosen={extent}
        options={[
          ['', 'the whole team'],
          ...campaigns.map(([id, name]) => [`campaign:${id}`, `Campaign ${name}`] as const),
          ...agents.map(([id, name]) => [`agent:${id}`, `Agent ${name}`] as const),
        ]}
      />
      <SelectRow
        name="purpose"
        label="Purpose"
        hint="An entry for a purpose holds for every purpose, unless the team’s settings say that purposes are honoured."
        chosen={purpose}
        options={[['', 'every purpose'], ...PURPOSES.map((one) => [one, PURPOSE_WORDS[one]] as const)]}
      />
      <TextRow
        name="lastDay"
        label="Last day"
        hint={`The entry ends at the end of this day in ${frame.zone}. Empty: it does not end.`}
        type="date"
        value={lastDay}
      />
    </details>
  );
}

function LimitedSection({ frame, team, list }: ListProps) {
  const { items, nextCursor } = list.limited;
  if (items.length === 0) return null;
  const parameters = { teamId: chosenTeam(frame), timezone: frame.request.parameter('timezone') };
  return (
    <section class="card" id="limited">
      <h2>Only for a part, or a time</h2>
      <table class="stack">
        <thead>
          <tr>
            <th>Number</th>
            <th>Holds for</th>
            <th>Until</th>
            <th>Reason</th>
            <th>Added</th>
            <th>
              <span class="unseen">Change</span>
            </th>
          </tr>
        </thead>
        {items.map((entry) => (
          <tr>
            <td class="nowrap">
              <NumberLink teamId={team.id} phoneNumber={entry.phoneNumber} />
            </td>
            <td class="long" data-name="Holds for">
              {extentText(list, entry)}
            </td>
            <td data-name="Until">
              {entry.expiresAt === null ? 'without end' : <Instant zone={frame.zone} at={entry.expiresAt} />}
            </td>
            <td class="long">{reasonOf(entry)}</td>
            <td data-name="Added">
              <Instant zone={frame.zone} at={entry.createdAt} />
            </td>
            <td>
              <RemoveForm frame={frame} team={team} entry={entry} />
            </td>
          </tr>
        ))}
      </table>
      {nextCursor !== null && (
        <p>
          <a href={address(`${frame.base}/do-not-call`, { ...parameters, limitedAfter: nextCursor })}>
            Earlier entries
          </a>
        </p>
      )}
    </section>
  );
}

type Extent = Pick<SuppressionEntryResource, 'scope' | 'campaignId' | 'agentId' | 'purpose'>;

/** Such as `for the campaign Spring, Marketing only`. */
function extentText(
  { campaigns, agents }: ListLimits,
  { scope, campaignId, agentId, purpose }: Extent,
): string {
  const nameIn = (options: readonly Option[], id: string | null) =>
    options.find(([one]) => one === id)?.[1] ?? id ?? '';
  const texts: Partial<Record<Extent['scope'], string>> = {
    team: 'for the team',
    campaign: `for the campaign ${nameIn(campaigns, campaignId)}`,
    agent: `for the agent ${nameIn(agents, agentId)}`,
  };
  const text = texts[scope] ?? `for the ${scope}`;
  return purpose === null ? text : `${text}, ${PURPOSE_WORDS[purpose]} only`;
}

/** How an entry came to be. */
const SOURCE_WORDS: Record<SuppressionEntryResource['source'], string> = {
  request: 'by a request of the team',
  opt_out: 'because the person opted out in a call',
  register: 'by a public register',
  import: 'by an import',
  operator: 'by the operator',
};

function sourceText({ source, actorName }: SuppressionEntryResource): string {
  return `${SOURCE_WORDS[source]}${actorName === null ? '' : ` (${actorName})`}`;
}

/** What is wrong with the lines of a form of numbers. */
export function Rejected({ problem, added, rejected }: Pick<Corrections, 'problem' | 'added' | 'rejected'>) {
  return (
    <>
      <p class="notice warn" role="alert">
        {problem ??
          `Numbers added: ${added}. Lines that are no phone number: ${rejected.length}. Correct them here, and add them again.`}
      </p>
      <ul>
        {rejected.map(({ line, why }) => (
          <li>
            <code>{line}</code> {why}
          </li>
        ))}
      </ul>
    </>
  );
}

/** @param team null: the platform. */
function ListSection({
  frame,
  team,
  list: { entries },
}: Pick<ListProps, 'frame' | 'list'> & { team: TeamRow | null }) {
  const parameters = { teamId: chosenTeam(frame), timezone: frame.request.parameter('timezone') };
  return (
    <section class="card" id="list">
      <h2>The list</h2>
      {entries.items.length === 0 ? (
        <p class="soft">It is empty.</p>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th>Number</th>
              <th>Reason</th>
              <th>Added</th>
              <th>
                <span class="unseen">Change</span>
              </th>
            </tr>
          </thead>
          {entries.items.map((entry) => (
            <tr>
              <td class="nowrap">
                {team === null ? (
                  <PhoneNumber number={entry.phoneNumber} />
                ) : (
                  <NumberLink teamId={team.id} phoneNumber={entry.phoneNumber} />
                )}
              </td>
              <td>{reasonOf(entry)}</td>
              <td class="nowrap" data-name="Added">
                <Instant zone={frame.zone} at={entry.createdAt} />
              </td>
              <td>
                <RemoveForm frame={frame} team={team} entry={entry} />
              </td>
            </tr>
          ))}
        </table>
      )}
      {entries.nextCursor !== null && (
        <p>
          <a href={address(`${frame.base}/do-not-call`, { ...parameters, cursor: entries.nextCursor })}>
            More numbers
          </a>
        </p>
      )}
    </section>
  );
}

interface RemoveProps {
  frame: Frame;
  team: TeamRow | null;
  entry: Entry & Partial<Pick<LimitedDoNotCallResource, 'scope' | 'campaignId' | 'agentId'>>;
}

/** Collapsed at first, so that a number is not removed by mistake: a removed number may be called again. */
function RemoveForm({ frame, team, entry }: RemoveProps) {
  if (!may(frame, team === null ? 'platform.change' : 'suppressions.change')) return null;
  const list = team === null ? '/platform/do-not-call' : `/t/${team.id}/do-not-call`;
  return (
    <details>
      <summary>Remove…</summary>
      <PostForm frame={frame} action={`${list}/remove`}>
        <input type="hidden" name="phoneNumber" value={entry.phoneNumber} />
        {entry.scope !== undefined && <input type="hidden" name="scope" value={entry.scope} />}
        {entry.campaignId != null && <input type="hidden" name="campaignId" value={entry.campaignId} />}
        {entry.agentId != null && <input type="hidden" name="agentId" value={entry.agentId} />}
        <button class="danger">Yes, it may be called again</button>
      </PostForm>
    </details>
  );
}

function reasonOf({ reason }: Entry): string {
  return reason ?? 'No reason given';
}
