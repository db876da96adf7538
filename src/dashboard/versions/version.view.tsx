import { address } from '../design/address.js';
import { Instant } from '../design/instant.view.js';
import { count } from '../design/local-time.js';
import { PostForm } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { WarningList } from './check.view.js';
import { type Difference } from './differences.js';
import { type Campaign, type Version, type Warnings } from './answers.js';

/** What the page of a version shows that is not edited. */
export interface ShownVersion {
  campaign: Campaign;
  version: Version;
  /** The version that is current now. */
  current: Version;
  /** From the current version to this one. */
  differences: Difference[];
}

/** A version as it is stored, for people who read it. */
export function versionPage(frame: Frame, { campaign, version, current, differences }: ShownVersion) {
  const page = `/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}`;
  const path = `${page}/versions/${version.id}`;
  const timezone = frame.request.parameter('timezone');
  const isDraft = version.status === 'draft';
  const isCurrent = version.id === current.id;
  return (
    <Layout frame={frame} section="campaigns" title={`Version ${version.number}, ${campaign.name}`}>
      <h1>
        Version {version.number}
        {isDraft ? ', draft' : isCurrent ? ', current' : ''}
      </h1>
      <p class="soft small">
        <a href={address(page, { timezone })}>{campaign.name}</a>
        {version.publishedAt !== null && (
          <>
            {' · published '}
            <Instant zone={frame.zone} at={version.publishedAt} />
          </>
        )}
        {' · '}
        <a href={address(`${path}/forecast`, { timezone })}>Forecast…</a>
        {may(frame, 'campaigns.change') && !isDraft && (
          <>
            {' · '}
            <a href={address(`${page}/versions/new`, { from: version.id, timezone })}>
              {campaign.draftVersionId === null ? 'New version from it' : 'To the draft'}
            </a>
          </>
        )}
      </p>
      {!isCurrent && (
        <section class="card" id="differences">
          <h2>What differs from version {current.number}, which is current</h2>
          <Differences differences={differences} />
        </section>
      )}
      <section class="card" id="definition">
        <h2>Definition</h2>
        <pre>{JSON.stringify(version.definition, null, 2)}</pre>
      </section>
    </Layout>
  );
}

function Differences({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <p>Nothing that has an effect.</p>;
  return (
    <table class="stack">
      <thead>
        <tr>
          <th>Part</th>
          <th>Now</th>
          <th>Then</th>
        </tr>
      </thead>
      {differences.map(({ part, before, after }) => (
        <tr data-part={part}>
          <td class="long">{part}</td>
          <td class="long" data-name="Now">
            {before || '–'}
          </td>
          <td class="long" data-name="Then">
            {after || '–'}
          </td>
        </tr>
      ))}
    </table>
  );
}

/** What a publication does. */
export interface ShownPublication extends ShownVersion {
  /** Live enrollments of the current version, of the older ones, and of the draft itself. */
  live: { current: number; older: number; draft: number };
  warnings: Warnings;
}

/** Asks whether a draft becomes current, and says which enrollments that changes. */
export function publicationPage(frame: Frame, shown: ShownPublication) {
  const { campaign, version, current, differences, live, warnings } = shown;
  const page = address(`/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}`, {
    timezone: frame.request.parameter('timezone'),
  });
  const path = `/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}`;
  const stay = live.current + live.older;
  return (
    <Layout frame={frame} section="campaigns" title={`Publish version ${version.number}, ${campaign.name}`}>
      <h1>Publish version {version.number}?</h1>
      <p class="soft small">
        <a href={page}>{campaign.name}</a> · <a href={`${path}/versions/${version.id}`}>Edit the draft</a> ·{' '}
        <a href={`${path}/versions/${version.id}/forecast`}>Forecast…</a>
      </p>
      <section class="card" id="differences">
        <h2>
          From version {current.number} to version {version.number}
        </h2>
        <Differences differences={differences} />
      </section>
      <WarningList warnings={warnings} />
      <section class="card" id="enrollments">
        <h2>Which enrollments change</h2>
        <ul>
          <li>
            Contacts that are enrolled from then on are called by version {version.number}, unless their
            request names another.
          </li>
          <li id="stay">
            {stay === 0 ? (
              'No live enrollment is on an earlier version.'
            ) : (
              <>
                {enrollments(stay)} {stay === 1 ? 'stays on its version' : 'stay on their versions'}
                {live.current > 0 && `, ${count(live.current)} of them on version ${current.number}`}. Nothing
                changes for them until they are{' '}
                <a href={address(`${path}/migrate`, { from: current.id, to: version.id })}>moved</a>, before
                or after the publication.
              </>
            )}
          </li>
          {live.draft > 0 && (
            <li id="of-draft">
              {enrollments(live.draft)} {live.draft === 1 ? 'follows' : 'follow'} the draft already, and{' '}
              {live.draft === 1 ? 'goes' : 'go'} on.
            </li>
          )}
          {campaign.status !== 'active' && (
            <li>The campaign is {campaign.status}, so it places no calls yet.</li>
          )}
        </ul>
        <p class="soft small">A published version cannot be changed. A new draft can replace it.</p>
        <PostForm frame={frame} action={`${path}/versions/${version.id}/publish`} back={page}>
          <button class="main">Yes, publish version {version.number}</button>
        </PostForm>
        <p>
          <a href={page}>No, back to the campaign</a>
        </p>
      </section>
    </Layout>
  );
}

const enrollments = (live: number): string =>
  `${count(live)} live ${live === 1 ? 'enrollment' : 'enrollments'}`;
