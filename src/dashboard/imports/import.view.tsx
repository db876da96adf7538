import { type ComponentChildren } from 'preact';
import {
  type ImportColumnView,
  type ImportResultView,
  type ImportWithColumns,
} from '../../imports/import-view.js';
import { Instant } from '../design/instant.view.js';
import { count } from '../design/local-time.js';
import { Progress } from '../design/progress.view.js';
import { Badge, Question } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { reasonText } from './target-words.js';
import { polled } from '../live/live.view.js';
import { COUNT_WORDS, isUnderWay, KEPT_WORDS, STATUS_WORDS, TYPE_WORDS } from './import-words.js';

export interface ShownImport {
  shown: ImportWithColumns;
  /** The name of its campaign; null without one. */
  campaign: string | null;
  /** The first rows that were refused. */
  refused: readonly ImportResultView[];
}

/** How often the page of an import that runs is renewed, in seconds. */
const RENEWED_EVERY = 2;
const PART = 'progress';

/** One import: how far it is, its counts, the rows that were refused, and what can be done with it. */
export function importPage(frame: Frame, { shown, campaign, refused }: ShownImport) {
  const self = `${frame.base}/imports/${shown.importId}`;
  const runs = isUnderWay(shown.status);
  return (
    <Layout frame={frame} section="imports" title="Import" live={runs}>
      <h1>{TYPE_WORDS[shown.type]} from a file</h1>
      <p class="soft small">
        Begun <Instant zone={frame.zone} at={shown.createdAt} /> · {shown.importId}
      </p>
      {shown.status === 'held' && <HeldNotice frame={frame} self={self} />}
      {shown.warnings?.map(({ text }) => (
        <p class="notice warn">{text}</p>
      ))}
      <ProgressSection frame={frame} self={self} shown={shown} campaign={campaign} runs={runs} />
      <Actions frame={frame} self={self} shown={shown} />
      {shown.undo !== null && <UndoSection undo={shown.undo} />}
      {shown.failed > 0 && <RefusedSection self={self} shown={shown} refused={refused} />}
      {shown.columns !== null && <ColumnsSection columns={shown.columns} />}
    </Layout>
  );
}

function HeldNotice({ frame, self }: { frame: Frame; self: string }) {
  return (
    <p class="notice warn">
      {STATUS_WORDS.held.meaning}{' '}
      {may(frame, 'imports.change') && <a href={`${self}/preview`}>Go to its preview</a>}
    </p>
  );
}

interface ProgressSectionProps extends Pick<ShownImport, 'shown' | 'campaign'> {
  frame: Frame;
  self: string;
  runs: boolean;
}

/** The part that renews itself while the import runs; without a script, a link renews the page. */
function ProgressSection({ frame, self, shown, campaign, runs }: ProgressSectionProps) {
  const { status, type, rows, created, updated, enrolled, failed, warned, finishedAt, error } = shown;
  const { label, mood, meaning } = STATUS_WORDS[status];
  const words = COUNT_WORDS[type];
  return (
    <section class="card" id={PART} {...(runs && polled(PART, self, RENEWED_EVERY))}>
      <h2>
        <Badge mood={mood}>{label}</Badge>
      </h2>
      <p>{meaning}</p>
      {error !== null && <p class="fault">{error}.</p>}
      {status === 'staging' && <Progress label="Rows uploaded" done={rows} of={null} />}
      {status === 'running' && <Progress label="Rows done" done={created + updated + failed} of={rows} />}
      {runs && (
        <p class="small">
          <a href={self}>Renew this page</a>
        </p>
      )}
      <dl class="facts">
        <dt>Rows of the file</dt>
        <dd>{count(rows)}</dd>
        <dt>{words.created}</dt>
        <dd>{count(created)}</dd>
        <dt>{words.updated}</dt>
        <dd>{count(updated)}</dd>
        <dt>Refused</dt>
        <dd>{failed > 0 ? <a href="#refused">{count(failed)}</a> : '0'}</dd>
        {type === 'contacts' && <ContactFacts frame={frame} shown={shown} campaign={campaign} />}
        {warned > 0 && fact('Stored with something left out', count(warned))}
        {enrolled > 0 && campaign === null && fact('Enrolled', count(enrolled))}
        {finishedAt !== null && fact('Ended', <Instant zone={frame.zone} at={finishedAt} />)}
      </dl>
    </section>
  );
}

const fact = (name: string, value: ComponentChildren) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

function ContactFacts({
  frame,
  shown,
  campaign,
}: Pick<ProgressSectionProps, 'frame' | 'shown' | 'campaign'>) {
  const { campaignId, enrolled, repeatedNumbers, withoutTimezone, countries, mode } = shown;
  const places = Object.entries(countries).sort(([, one], [, two]) => two - one);
  return (
    <>
      {campaignId !== null &&
        fact(
          'Enrolled',
          <>
            {count(enrolled)} in{' '}
            <a href={`${frame.base}/campaigns/${campaignId}`}>{campaign ?? campaignId}</a>
          </>,
        )}
      {repeatedNumbers > 0 && fact('Rows with the contact of an earlier row', count(repeatedNumbers))}
      {withoutTimezone > 0 && fact('Stored without a time zone', count(withoutTimezone))}
      {places.length > 0 &&
        fact(
          'Countries of the numbers',
          places.map(([place, n]) => `${place === 'none' ? 'unknown' : place} ${count(n)}`).join(', '),
        )}
      {mode === 'create' && fact('Contacts that exist', 'are refused, not updated')}
    </>
  );
}

function Actions({
  frame,
  self,
  shown: { status, type, undo },
}: Pick<ProgressSectionProps, 'frame' | 'self' | 'shown'>) {
  if (!may(frame, 'imports.change')) return null;
  const canCancel = status === 'staging' || status === 'held' || status === 'running';
  const canUndo =
    type === 'contacts' &&
    undo === null &&
    (status === 'finished' || status === 'canceled' || status === 'failed');
  if (!canCancel && !canUndo) return null;
  return (
    <section class="card" id="actions">
      {canCancel && (
        <Question frame={frame} action={`${self}/cancel`} what="Cancel the import" answer="Cancel it">
          The rows that are left are not imported. What was imported by then stays.
        </Question>
      )}
      {canUndo && (
        <Question frame={frame} action={`${self}/undo`} what="Undo the import" answer="Undo it">
          Contacts that this import created are removed, and its enrollments without a call end. Contacts that
          were called, changed or enrolled elsewhere since then stay, and so do those that were only updated.
        </Question>
      )}
    </section>
  );
}

function UndoSection({ undo }: { undo: NonNullable<ImportWithColumns['undo']> }) {
  const { contactsRemoved, enrollmentsEnded, contactsKept, enrollmentsKept } = undo;
  const kept = Object.entries(contactsKept).filter(([, n]) => n > 0) as [keyof typeof KEPT_WORDS, number][];
  return (
    <section class="card" id="undo">
      <h2>What was undone</h2>
      <dl class="facts">
        {fact('Contacts removed', count(contactsRemoved))}
        {fact('Enrollments ended', count(enrollmentsEnded))}
        {kept.map(([reason, n]) => fact(`Contacts kept: ${KEPT_WORDS[reason]}`, count(n)))}
        {enrollmentsKept.called > 0 &&
          fact('Enrollments kept: they have a call', count(enrollmentsKept.called))}
        {enrollmentsKept.ended > 0 && fact('Enrollments kept: they had ended', count(enrollmentsKept.ended))}
      </dl>
    </section>
  );
}

function RefusedSection({ self, shown, refused }: { self: string } & Pick<ShownImport, 'shown' | 'refused'>) {
  return (
    <section class="card" id="refused">
      <div class="head-row">
        <h2>Refused rows</h2>
        <a href={`${self}/refused`} download>
          Download with their cells (CSV)
        </a>
      </div>
      <p class="soft small">
        Correct the rows in the downloaded file and import it: its columns <code>row</code> and{' '}
        <code>error</code> are ignored.
      </p>
      <table>
        <thead>
          <tr>
            <th class="number">Row</th>
            <th>Reason</th>
          </tr>
        </thead>
        {refused.map(({ row, error }) => (
          <tr>
            <td class="number">{count(row)}</td>
            <td class="long">{reasonText(error ?? '')}</td>
          </tr>
        ))}
      </table>
      {refused.length < shown.failed && (
        <p class="soft small">These are the first {count(refused.length)}.</p>
      )}
    </section>
  );
}

function ColumnsSection({ columns }: { columns: readonly ImportColumnView[] }) {
  return (
    <section class="card" id="columns">
      <details>
        <summary>What each column was taken for</summary>
        <table>
          {columns.map(({ header, field, customProperty, ignored }) => (
            <tr>
              <td class="long">{header}</td>
              <td>{ignored === true ? 'not imported' : (field ?? `property ${customProperty}`)}</td>
            </tr>
          ))}
        </table>
      </details>
    </section>
  );
}
