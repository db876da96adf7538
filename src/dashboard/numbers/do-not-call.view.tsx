import { Instant } from '../design/instant.view.js';
import { type DoNotCallService } from '../../suppression/do-not-call.service.js';
import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { Badge, NumberLink, PhoneField, PostForm, TeamMissing, TeamSelect } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type TeamRow } from '../frame/teams.sql.js';
import { chosenTeam, type Frame, may } from '../frame/page-frame.service.js';

/** An entry as it is shown. */
export type Entry = Awaited<ReturnType<DoNotCallService['get']>>;

/** The page's data about one team's list; `entry` is null if the requested number is not on it. */
export interface DoNotCallList {
  entries: Page<Entry>;
  asked: { phoneNumber: string; entry: Entry | null } | null;
  corrections: Corrections | null;
}

/** The result of a form that was refused or only partly carried out, and the text that stays in the form. */
export interface Corrections {
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
      {platform !== null && <PlatformList frame={frame} list={platform} />}
    </Layout>
  );
}

function LookedUp({ frame, team, list: { asked } }: ListProps) {
  if (asked === null) return null;
  const { phoneNumber, entry } = asked;
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

function AddSection({ frame, title, action, list: { asked, corrections } }: AddProps) {
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
        <button class="main">Add to Do Not Call</button>
      </PostForm>
    </section>
  );
}

function Rejected({ problem, added, rejected }: Corrections) {
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

/** Collapsed at first, so that a number is not removed by mistake: a removed number may be called again. */
function RemoveForm({ frame, team, entry }: { frame: Frame; team: TeamRow | null; entry: Entry }) {
  if (!may(frame, team === null ? 'platform.change' : 'suppressions.change')) return null;
  const list = team === null ? '/platform/do-not-call' : `/t/${team.id}/do-not-call`;
  return (
    <details>
      <summary>Remove…</summary>
      <PostForm frame={frame} action={`${list}/remove`}>
        <input type="hidden" name="phoneNumber" value={entry.phoneNumber} />
        <button class="danger">Yes, it may be called again</button>
      </PostForm>
    </details>
  );
}

function reasonOf({ reason }: Entry): string {
  return reason ?? 'No reason given';
}
