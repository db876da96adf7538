import { Instant } from '../design/instant.view.js';
import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { address } from '../design/address.js';
import { Badge, type Mood, TeamSelect } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { chosenTeam, type Frame, may } from '../frame/page-frame.service.js';

type Campaigns = Awaited<ReturnType<CampaignsService['list']>>;
type Campaign = Campaigns['items'][number];

const STATUSES: Record<Campaign['status'], { label: string; mood: Mood }> = {
  draft: { label: 'Draft', mood: '' },
  active: { label: 'Active', mood: 'good' },
  paused: { label: 'Paused', mood: 'warn' },
  archived: { label: 'Archived', mood: '' },
};

export function StatusBadge({ status }: Pick<Campaign, 'status'>) {
  const { label, mood } = STATUSES[status];
  return <Badge mood={mood}>{label}</Badge>;
}

/** A team's campaigns, oldest first; without a team, the form that chooses one. */
export function campaignsPage(frame: Frame, campaigns: Campaigns | null) {
  const timezone = frame.request.parameter('timezone');
  return (
    <Layout frame={frame} section="campaigns" title="Campaigns">
      <div class="head-row">
        <h1>Campaigns</h1>
        {frame.scope === 'team' && may(frame, 'campaigns.change') && (
          <a class="button" href={address(`${frame.base}/campaigns/new`, { timezone })}>
            New campaign
          </a>
        )}
      </div>
      {frame.scope === 'platform' && (
        <form class="bar" method="get" action={`${frame.base}/campaigns`}>
          <TeamSelect frame={frame} none={frame.team === null ? 'Choose a team' : undefined} />
          <button class="main">Show</button>
        </form>
      )}
      {campaigns !== null && <List frame={frame} campaigns={campaigns} />}
    </Layout>
  );
}

function List({ frame, campaigns: { items, nextCursor } }: { frame: Frame; campaigns: Campaigns }) {
  const { team, zone, request } = frame;
  const timezone = request.parameter('timezone');
  const more = { teamId: chosenTeam(frame), timezone, cursor: nextCursor };
  return (
    <section class="card" id="campaigns">
      {items.length === 0 && <p>The team has no campaign.</p>}
      {items.length > 0 && (
        <table class="stack">
          <thead>
            <tr>
              <th>Campaign</th>
              <th>Status</th>
              <th>Created</th>
            </tr>
          </thead>
          {items.map(({ id, name, status, createdAt }) => (
            <tr>
              <td>
                <a href={address(`/t/${team?.id ?? ''}/campaigns/${id}`, { timezone })}>{name}</a>
              </td>
              <td>
                <StatusBadge status={status} />
              </td>
              <td class="soft" data-name="Created">
                <Instant zone={zone} at={createdAt} />
              </td>
            </tr>
          ))}
        </table>
      )}
      {nextCursor !== null && (
        <p>
          <a href={address(`${frame.base}/campaigns`, more)}>Newer campaigns</a>
        </p>
      )}
    </section>
  );
}
