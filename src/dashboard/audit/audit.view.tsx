import { type AuditRow } from '../../audit/audit-list.service.js';
import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { FilterBar, setFilters } from '../design/filter-bar.view.js';
import { TeamSelect } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

/** The filters as they were sent. */
export interface SentAuditFilters {
  action: string | undefined;
  actor: string | undefined;
  target: string | undefined;
  /** A day of the page's zone, such as `2026-11-20`. */
  from: string | undefined;
  to: string | undefined;
}

interface AuditProps {
  frame: Frame;
  sent: SentAuditFilters;
  /** Null if the address is refused. */
  rows: Page<AuditRow> | null;
  /** Of the people that rows are about, by their ids. */
  emails: ReadonlyMap<string, string>;
}

/** The audit log, the newest rows first. */
export function auditPage(frame: Frame, { sent, rows, emails }: Omit<AuditProps, 'frame'>) {
  return (
    <Layout frame={frame} section="audit" title="Audit">
      <h1>Audit</h1>
      <p class="soft">
        Who changed what. Rows cannot be changed or removed. Calls, contacts and enrollments that a key sends
        are in their own lists.
      </p>
      <Filters frame={frame} sent={sent} />
      {rows !== null && <Rows frame={frame} sent={sent} rows={rows} emails={emails} />}
    </Layout>
  );
}

const TEXTS = [
  ['actor', 'Who'],
  ['action', 'What'],
  ['target', 'On which id'],
] as const;
const DAYS = [
  ['from', 'From'],
  ['to', 'To'],
] as const;

function Filters({ frame, sent }: Pick<AuditProps, 'frame' | 'sent'>) {
  return (
    <FilterBar
      action={`${frame.base}/audit`}
      set={setFilters({
        Team: frame.scope === 'platform' ? frame.team?.name : undefined,
        ...Object.fromEntries([...TEXTS, ...DAYS].map(([name, label]) => [label, sent[name]])),
      })}
      without={`${frame.base}/audit`}
      refused={frame.problem !== null}
    >
      <TeamSelect frame={frame} none="All teams and the platform" />
      {TEXTS.map(([name, label]) => (
        <label>
          {label}
          <input name={name} value={sent[name] ?? ''} autocomplete="off" />
        </label>
      ))}
      {DAYS.map(([name, label]) => (
        <label>
          {label}
          <input name={name} type="date" value={sent[name] ?? ''} />
        </label>
      ))}
    </FilterBar>
  );
}

function Rows({ frame, sent, rows: { items, nextCursor }, emails }: AuditProps & { rows: Page<AuditRow> }) {
  const parameters = {
    ...sent,
    teamId: frame.scope === 'platform' ? frame.team?.id : undefined,
    timezone: frame.request.parameter('timezone'),
  };
  return (
    <section class="card" id="rows">
      {items.length === 0 && (
        <p>{nextCursor === null ? 'There is no such row.' : 'No such row in this part of the log.'}</p>
      )}
      {items.length > 0 && (
        <table class="stack">
          <thead>
            <tr>
              <th>Time</th>
              <th>Who</th>
              <th>What</th>
              <th>On what</th>
              <th>Change</th>
            </tr>
          </thead>
          {items.map((row) => (
            <tr id={`row-${row.id}`}>
              <td class="soft" data-name="Time">
                <Instant zone={frame.zone} at={row.at} />
              </td>
              <td data-name="Who">
                {whoText(row)}
                {row.address !== null && <div class="soft small">{row.address}</div>}
              </td>
              <td data-name="What">{actionText(row.action)}</td>
              <td data-name="On what">
                <Target frame={frame} row={row} email={emails.get(row.targetId ?? '')} />
              </td>
              <td data-name="Change">
                <Changes before={row.before ?? {}} after={row.after ?? {}} />
              </td>
            </tr>
          ))}
        </table>
      )}
      <p>
        {nextCursor !== null && (
          <a href={address(`${frame.base}/audit`, { ...parameters, cursor: nextCursor })}>Older rows</a>
        )}{' '}
        <a href={address(`${frame.base}/audit/download`, parameters)} download>
          Download as CSV
        </a>
      </p>
    </section>
  );
}

const KINDS = {
  user: 'A person',
  key: 'A key',
  token: 'The operator token',
  cli: 'The command line',
  system: 'Outdial itself',
} satisfies Record<AuditRow['actorKind'], string>;

function whoText({ actorKind, actorName }: AuditRow): string {
  if (actorName === null) return KINDS[actorKind];
  if (actorKind === 'token') return `The board’s password, ${actorName}`;
  return actorKind === 'user' ? actorName : `${KINDS[actorKind]}, ${actorName}`;
}

const words = (name: string): string => name.replaceAll('_', ' ');

/** Such as `API key revoked`. */
function actionText(action: string): string {
  const text = words(action).replace('.', ' ').replace(/^api /, 'API ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The pages of rows, by their kinds. */
const PAGES: Record<string, string> = { call: 'calls', campaign: 'campaigns', contact: 'contacts' };

function Target({ frame, row, email }: { frame: Frame; row: AuditRow; email: string | undefined }) {
  const { targetType, targetId, teamId } = row;
  const page = PAGES[targetType];
  const team = frame.scope === 'platform' && frame.teams.find(({ id }) => id === teamId);
  return (
    <>
      {words(targetType)}{' '}
      {targetId !== null &&
        (page !== undefined && teamId !== null ? (
          <a href={`/t/${teamId}/${page}/${targetId}`}>{targetId}</a>
        ) : (
          <span class="small">{email ?? targetId}</span>
        ))}
      {team && <div class="soft small">{team.name}</div>}
    </>
  );
}

/** Each changed field with its values. Of secret and personal fields, only the name is known. */
function Changes({ before, after }: Record<'before' | 'after', Record<string, unknown>>) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <>
      {names.map((name) => (
        <div class="small">
          {words(name)}: {changeText(before[name], after[name])}
        </div>
      ))}
    </>
  );
}

function changeText(before: unknown, after: unknown): string {
  const isWithheld = before === 'withheld' || after === 'withheld';
  if (isWithheld) return before === undefined ? 'set' : after == null ? 'removed' : 'changed';
  if (before === undefined) return valueText(after);
  return after === undefined ? valueText(before) : `${valueText(before)} → ${valueText(after)}`;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
