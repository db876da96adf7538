import { type ComponentChildren } from 'preact';
import { CALL_FILTERS, type OperatorCallRow } from '../../calls/records/operator-list.service.js';
import { CALL_STATES } from '../../domain/call-states.js';
import { knownReasons, reasonLabel, stateLabel } from '../../domain/narrator/labels.js';
import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { FilterBar, setFilters } from '../design/filter-bar.view.js';
import {
  CALL_LIST_FILTERS,
  type CallListFilter,
  callsOf,
  DUE,
  hourOf,
  type SentCallFilters,
} from './call-filters.js';
import { CallTable } from './call-table.view.js';
import { canBeCanceled } from './cancel-page.service.js';
import { type NamedRow } from './call-list-page.sql.js';
import { Choice, PhoneField, TeamSelect } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { timeIn } from '../design/local-time.js';
import { chosenTeam, type Frame, may } from '../frame/page-frame.service.js';

/** What the form offers besides teams; empty without a team. */
export interface CallChoices {
  agents: NamedRow[];
  campaigns: NamedRow[];
}

/** What the page shows. If a filter is refused, `calls` is null and `problem` is the reason. */
export interface ShownCalls {
  /** The filters as they were sent, even if one of them is refused. */
  sent: SentCallFilters;
  choices: CallChoices;
  calls: Page<OperatorCallRow> | null;
  problem: string | null;
}

/** Calls by the filters of the address. */
export function callListPage(frame: Frame, shown: ShownCalls) {
  const { sent, calls, problem } = shown;
  return (
    <Layout frame={frame} section="calls" title="Calls">
      <h1>Calls{frame.team !== null && `, ${frame.team.name}`}</h1>
      <Filters frame={frame} shown={shown} />
      {problem !== null && (
        <p class="notice bad" role="alert" id="problem">
          {problem}
        </p>
      )}
      {calls !== null && (
        <section class="card" id="calls">
          <p class="soft small">
            {orderText(sent)}, times in {frame.zone}.
          </p>
          <CallTable frame={frame} calls={calls.items} />
          <Further frame={frame} sent={sent} calls={calls} />
          {calls.items.length > 0 && (
            <p>
              <a
                id="download"
                href={address(`${frame.base}/calls/download`, {
                  teamId: chosenTeam(frame),
                  timezone: frame.request.parameter('timezone'),
                  ...sent,
                })}
              >
                Download all of these calls (CSV)
              </a>
            </p>
          )}
          {frame.team !== null &&
            calls.items.length > 0 &&
            canBeCanceled(sent) &&
            may(frame, 'calls.change') && (
              <p>
                <a
                  id="cancel-many"
                  href={address(`/t/${frame.team.id}/calls/cancel`, {
                    ...sent,
                    back: frame.request.self,
                  })}
                >
                  Cancel all of these calls…
                </a>
              </p>
            )}
        </section>
      )}
    </Layout>
  );
}

function orderText({ day, due }: SentCallFilters): string {
  if (due !== undefined) return 'By the time at which they are due, the earliest first';
  return day === undefined
    ? 'By the time of their requests, the newest first'
    : 'By the time of their ends, the newest first';
}

function Filters({ frame, shown }: { frame: Frame; shown: ShownCalls }) {
  const controls = controlsOf(frame, shown);
  return (
    <FilterBar
      action={`${frame.base}/calls`}
      set={setTexts(frame, shown)}
      without={callsOf(frame)}
      refused={shown.problem !== null}
    >
      <TeamSelect frame={frame} none="All teams" />
      {CALL_LIST_FILTERS.map((name) => controls[name])}
      <label>
        Time zone
        <input
          name="timezone"
          value={frame.request.parameter('timezone') ?? ''}
          placeholder={frame.zone}
          autocomplete="off"
          autocapitalize="none"
        />
      </label>
    </FilterBar>
  );
}

/** The filters that are set, as people read them. */
function setTexts(frame: Frame, { sent, choices }: ShownCalls): string[] {
  const named = (rows: NamedRow[], id: string | undefined) => rows.find((row) => row.id === id)?.name ?? id;
  const due = dueOptions(frame, sent).find(([value]) => value === sent.due)?.[1] ?? sent.due;
  return setFilters({
    Team: frame.scope === 'platform' ? frame.team?.name : undefined,
    State: sent.status && stateLabel(sent.status),
    Due: due,
    'Ended on': sent.day,
    Reason: sent.reason,
    Number: sent.phoneNumber,
    Agent: named(choices.agents, sent.agentId),
    Campaign: named(choices.campaigns, sent.campaignId),
  });
}

/** The control of each filter. Agents and campaigns are offered once the team is chosen. */
function controlsOf(frame: Frame, { sent, choices }: ShownCalls): Record<CallListFilter, ComponentChildren> {
  const named = (rows: NamedRow[]) => rows.map(({ id, name }) => [id, name] as const);
  const states = CALL_STATES.map((state) => [state, stateLabel(state)] as const);
  return {
    status: <Choice label="State" name="status" chosen={sent.status} options={states} />,
    due: <Choice label="Due" name="due" chosen={sent.due} options={dueOptions(frame, sent)} />,
    day: (
      <label>
        Ended on
        <input name="day" type="date" value={sent.day ?? ''} />
      </label>
    ),
    reason: (
      <>
        <label>
          Reason
          <input
            name="reason"
            list="reasons"
            value={sent.reason ?? ''}
            autocomplete="off"
            maxlength={CALL_FILTERS.reason.schema.maxLength}
          />
        </label>
        <datalist id="reasons">
          {knownReasons().map((reason) => (
            <option value={reason}>{reasonLabel(reason)}</option>
          ))}
        </datalist>
      </>
    ),
    phoneNumber: <PhoneField value={sent.phoneNumber ?? null} />,
    agentId: frame.team !== null && (
      <Choice label="Agent" name="agentId" chosen={sent.agentId} options={named(choices.agents)} />
    ),
    campaignId: frame.team !== null && (
      <Choice
        label="Campaign"
        name="campaignId"
        chosen={sent.campaignId}
        options={named(choices.campaigns)}
      />
    ),
  };
}

/** An hour of the overview's chart is offered only while it is the chosen one. */
function dueOptions({ zone }: Frame, { due = '' }: SentCallFilters): [string, string][] {
  const hour = hourOf(due);
  return [
    [DUE.overdue, 'Overdue'],
    [DUE.paused, 'Overdue, held by a pause'],
    [DUE.nextDay, 'In the next 24 hours'],
    ...(hour === null ? [] : [[due, `In the hour of ${timeIn(zone, hour)}`] as [string, string]]),
  ];
}

interface FurtherProps {
  frame: Frame;
  sent: SentCallFilters;
  calls: Page<OperatorCallRow>;
}

/** The link to the next page. A page that examined many calls may show none and still have a next page. */
function Further({ frame, sent, calls: { items, nextCursor } }: FurtherProps) {
  if (nextCursor === null) return items.length === 0 ? <p>No call is like this.</p> : null;
  return (
    <p>
      {items.length === 0 && 'None so far: there are very many other calls. '}
      <a href={callsOf(frame, { ...sent, cursor: nextCursor })}>
        {sent.due === undefined ? 'Older calls' : 'Later calls'}
      </a>
    </p>
  );
}
