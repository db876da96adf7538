import { CALL_STATES, isFinal } from '../../domain/call-states.js';
import { moodOf } from '../../domain/narrator/call.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { type TeamResource } from '../../teams/team.dto.js';
import { address } from '../design/address.js';
import { COUNTRIES } from '../design/countries.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { SelectRow, TextRow } from '../design/form-field.view.js';
import { count, dateIn } from '../design/local-time.js';
import { ZONES_LIST, ZonesList } from '../design/zones-list.view.js';
import { Badge, PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { COUNTED_OF_ALL, COUNTED_OF_TEAM, type EndedOfTeamRow } from './teams.sql.js';

/** A team and its calls. */
export interface TeamLoad {
  team: TeamResource;
  active: number;
  pending: number;
  overdue: number;
  /** Today, by outcome. */
  ended: EndedOfTeamRow[];
}

/** The fields of a new team: their names, their labels, and what is in them at first. */
export const NEW_TEAM_FIELDS = [
  ['name', 'Name', ''],
  ['timezone', 'Time zone', 'UTC'],
  ['defaultCountry', 'Country', ''],
] as const;

/** What was typed into the form of a new team. */
export type TypedTeam = Record<(typeof NEW_TEAM_FIELDS)[number][0], string>;

export interface TeamsView {
  teams: TeamLoad[];
  nextCursor: string | null;
  /** Whether more calls may have ended, or be overdue, than were counted. */
  moreEnded: boolean;
  moreOverdue: boolean;
  typed: TypedTeam;
  errors: FieldErrors;
}

const FINAL_STATES = CALL_STATES.filter(isFinal);

export function teamsPage(frame: Frame, view: TeamsView) {
  return (
    <Layout frame={frame} section="teams" title="Teams">
      <h1>Teams</h1>
      <ErrorSummary title="The team was not created." errors={view.errors} />
      <TeamTable frame={frame} view={view} />
      <NewTeam frame={frame} view={view} />
    </Layout>
  );
}

function TeamTable({ frame, view: { teams, nextCursor, moreEnded, moreOverdue } }: TeamsProps) {
  if (teams.length === 0) {
    return (
      <section class="card" id="teams">
        <p>There is no team yet. A team has agents, numbers, contacts, calls and keys of its own.</p>
      </section>
    );
  }
  return (
    <section class="card" id="teams">
      <div class="scroll">
        <table class="stack">
          <thead>
            <tr>
              <th>Team</th>
              <th class="number">Active</th>
              <th class="number">Waiting</th>
              <th class="number">Overdue</th>
              <th>Ended today</th>
              <th>Limits</th>
            </tr>
          </thead>
          {teams.map((load) => (
            <TeamRow frame={frame} load={load} />
          ))}
        </table>
      </div>
      <p class="soft small">
        Today in {frame.zone}.{' '}
        {moreEnded && `Only the latest ${count(COUNTED_OF_ALL)} calls that ended are counted. `}
        {moreOverdue && `Only the ${count(COUNTED_OF_ALL)} longest overdue calls are counted. `}
        Overdue: due, and not dialed yet.
      </p>
      {nextCursor !== null && (
        <p>
          <a href={address('/platform/teams', { cursor: nextCursor })}>Newer teams</a>
        </p>
      )}
    </section>
  );
}

function TeamRow({
  frame,
  load: { team, active, pending, overdue, ended },
}: {
  frame: Frame;
  load: TeamLoad;
}) {
  const calls = `/t/${team.id}/calls`;
  return (
    <tr data-team={team.id}>
      <td>
        <a href={`/t/${team.id}`}>
          <b>{team.name}</b>
        </a>{' '}
        {team.paused && <Badge mood="warn">paused</Badge>}
      </td>
      <td class="number" data-name="Active">
        {figure(active)}
      </td>
      <td class="number" data-name="Waiting">
        {figure(pending)}
      </td>
      <td class="number" data-name="Overdue">
        {overdue === 0 ? '0' : <Badge mood={team.paused ? '' : 'warn'}>{count(overdue)}</Badge>}
      </td>
      <td data-name="Ended today">
        <Outcomes frame={frame} ended={ended} calls={calls} />
      </td>
      <td class="small" data-name="Limits">
        <a href={`/t/${team.id}/settings/team`} aria-label={`${limits(team)}: limits of ${team.name}`}>
          {limits(team)}
        </a>
      </td>
    </tr>
  );
}

function Outcomes({ frame, ended, calls }: { frame: Frame; ended: EndedOfTeamRow[]; calls: string }) {
  const states = FINAL_STATES.flatMap((state) => {
    const found = ended.find(({ status }) => status === state);
    return found === undefined ? [] : [{ state, calls: found.calls }];
  });
  if (states.length === 0) return <>none</>;
  return (
    <div class="outcomes">
      {states.map(({ state, calls: number }) => (
        <a href={address(calls, { status: state, day: dateIn(frame.zone, frame.now), timezone: frame.zone })}>
          <Badge mood={moodOf(state)}>
            {count(number)} {stateLabel(state).toLowerCase()}
          </Badge>
        </a>
      ))}
    </div>
  );
}

function limits({ maxConcurrentCalls, monthlyCallLimit }: TeamResource): string {
  const at = (limit: number | null, what: string) =>
    limit === null ? `any number ${what}` : `${count(limit)} ${what}`;
  return `${at(maxConcurrentCalls, 'at a time')}, ${at(monthlyCallLimit, 'a month')}`;
}

const figure = (calls: number): string => `${count(calls)}${calls >= COUNTED_OF_TEAM ? '+' : ''}`;

interface TeamsProps {
  frame: Frame;
  view: TeamsView;
}

function NewTeam({ frame, view: { typed, errors } }: TeamsProps) {
  return (
    <section class="card" id="new-team">
      <h2>Create a team</h2>
      <PostForm frame={frame} action="/platform/teams">
        <TextRow name="name" label="Name" value={typed.name} error={errors.name} required />
        <TextRow
          name="timezone"
          label="Time zone"
          hint="In which the pages of the team show times."
          value={typed.timezone}
          error={errors.timezone}
          list={ZONES_LIST}
          required
        />
        <ZonesList />
        <SelectRow
          name="defaultCountry"
          label="Country"
          hint="Of numbers in national form, such as 0171 2345678."
          chosen={typed.defaultCountry}
          options={[['', 'None: numbers in national form are refused'], ...COUNTRIES]}
          error={errors.defaultCountry}
        />
        <button class="main">Create team</button>
      </PostForm>
    </section>
  );
}
