import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type EnrollListService } from '../../campaigns/records/enroll-list.service.js';
import { enrollmentLabel } from '../../domain/narrator/enrollment.js';
import { enrollmentsOf } from '../campaigns/campaign.view.js';
import { address } from '../design/address.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { AreaRow } from '../design/form-field.view.js';
import { count } from '../design/local-time.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';

type Campaign = Awaited<ReturnType<CampaignsService['get']>>;
type Result = Exclude<Awaited<ReturnType<EnrollListService['enroll']>>[number], { kind: 'repeated' }>;

/** The most lines of a list. */
export const MOST_LINES = 1_000;
/** The field with the list. */
export const LIST = 'contacts';
/** The most lines of a kind that the result names. */
const MOST_SHOWN = 100;

/** A line of a list, and what became of it. */
export interface EnrolledLine {
  /** From 1, as the lines were typed. */
  line: number;
  text: string;
  result: Result;
}

interface ShownEnroll {
  campaign: Campaign;
  typed: string;
  errors: FieldErrors;
}

/** The form that enrolls a list of contacts. */
export function enrollPage(frame: Frame, { campaign, typed, errors }: ShownEnroll) {
  const isActive = campaign.status === 'active';
  return (
    <Layout frame={frame} section="campaigns" title={`Enroll contacts, ${campaign.name}`}>
      <h1>Enroll contacts</h1>
      <p class="soft small">
        <a href={pathOf(frame, campaign)}>{campaign.name}</a>
      </p>
      <ErrorSummary title="No contact was enrolled." errors={errors} />
      <section class="card" id="enroll">
        {isActive ? (
          <PostForm frame={frame} action={`${pathOf(frame, campaign)}/enroll`}>
            <AreaRow
              name={LIST}
              label="Contacts"
              hint={`A phone number, external id or contact id in each line, at most ${count(MOST_LINES)}.`}
              error={errors[LIST]}
              value={typed}
              rows={12}
            />
            <p class="soft small">
              They are enrolled on the current version. Those that are due are called at once, as fast as the
              campaign’s pacing allows.
            </p>
            <button class="main">Enroll them</button>
          </PostForm>
        ) : (
          <p class="notice warn">
            The campaign is {campaign.status}. Contacts can be enrolled while it is active; an import can load
            them before.
          </p>
        )}
      </section>
      <ImportLink frame={frame} campaign={campaign} />
    </Layout>
  );
}

function pathOf({ team }: Frame, { id }: Campaign): string {
  return `/t/${team?.id ?? ''}/campaigns/${id}`;
}

/** New contacts, and longer lists, come as a file. */
function ImportLink({ frame, campaign }: { frame: Frame; campaign: Campaign }) {
  const imports = address(`/t/${frame.team?.id ?? ''}/imports/new`, { campaignId: campaign.id });
  return (
    <p>
      New contacts and longer lists come as a file: <a href={imports}>import a file into the campaign</a>.
    </p>
  );
}

interface ShownResult {
  campaign: Campaign;
  lines: EnrolledLine[];
}

/** What became of a list. */
export function enrolledPage(frame: Frame, { campaign, lines }: ShownResult) {
  const ofKind = (kind: Result['kind']) => lines.filter(({ result }) => result.kind === kind);
  const tiles = [
    { id: 'enrolled', name: 'Enrolled', figure: ofKind('enrolled').length, mood: '' },
    { id: 'present', name: 'Already there', figure: ofKind('present').length, mood: '' },
    { id: 'refused', name: 'Refused', figure: ofKind('refused').length, mood: 'bad' },
  ];
  return (
    <Layout frame={frame} section="campaigns" title={`Enrolled contacts, ${campaign.name}`}>
      <h1>Enrolled contacts</h1>
      <p class="soft small">
        <a href={pathOf(frame, campaign)}>{campaign.name}</a> ·{' '}
        <a href={enrollmentsOf(frame, campaign.id)}>Its enrollments</a> ·{' '}
        <a href={`${pathOf(frame, campaign)}/enroll`}>Enroll more</a>
      </p>
      <div class="tiles" id="result">
        {tiles.map(({ id, name, figure, mood }) => (
          <div class={figure > 0 ? `tile ${mood}` : 'tile'} id={`tile-${id}`}>
            <span class="name">{name}</span>
            <b>{count(figure)}</b>
          </div>
        ))}
      </div>
      <Refused lines={ofKind('refused')} />
      <Present frame={frame} campaign={campaign} lines={ofKind('present')} />
      {ofKind('refused').length > 0 && <ImportLink frame={frame} campaign={campaign} />}
    </Layout>
  );
}

/** By reason, the most frequent first. */
function Refused({ lines }: { lines: readonly EnrolledLine[] }) {
  const reasons = new Map<string, EnrolledLine[]>();
  for (const one of lines) {
    const reason = one.result.kind === 'refused' ? one.result.reason : '';
    reasons.set(reason, [...(reasons.get(reason) ?? []), one]);
  }
  if (lines.length === 0) return null;
  return (
    <section class="card" id="refused">
      <h2>Refused</h2>
      {[...reasons]
        .sort(([, a], [, b]) => b.length - a.length)
        .map(([reason, refused]) => (
          <>
            <h3>
              {reason}
              <span class="soft">{count(refused.length)}</span>
            </h3>
            <p class="small">
              {refused
                .slice(0, MOST_SHOWN)
                .map(({ line, text }) => `line ${line}: ${text}`)
                .join(' · ')}
              {refused.length > MOST_SHOWN && ` · and ${count(refused.length - MOST_SHOWN)} more`}
            </p>
          </>
        ))}
    </section>
  );
}

function Present({ frame, campaign, lines }: { frame: Frame; campaign: Campaign; lines: EnrolledLine[] }) {
  if (lines.length === 0) return null;
  const path = `${pathOf(frame, campaign)}/enrollments`;
  return (
    <section class="card" id="present">
      <h2>Already there</h2>
      <p class="soft small">In the campaign, or once in it without being allowed in again.</p>
      <ul class="found">
        {lines.slice(0, MOST_SHOWN).map(({ line, text, result }) => (
          <li>
            <span class="soft">line {line}</span>
            {result.kind === 'present' && (
              <>
                <a href={`${path}/${result.enrollmentId}`}>{text}</a>
                <span class="soft">{enrollmentLabel(result.status)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {lines.length > MOST_SHOWN && <p>And {count(lines.length - MOST_SHOWN)} more.</p>}
    </section>
  );
}
