import { type Viewer } from '../../people/viewer.js';
import { type PageRequest } from '../frame/form.js';
import { PlainPage } from './plain-page.view.js';

/** The choice of a person in several teams, or in none. */
export function StartPage({ request, viewer }: { request: PageRequest; viewer: Viewer }) {
  return (
    <PlainPage request={request} title="Your teams">
      <section class="card">
        <h1>Your teams</h1>
        <TeamLinks viewer={viewer} />
      </section>
    </PlainPage>
  );
}

/** The teams of a person, with the person's role in each. */
export function TeamLinks({ viewer }: { viewer: Viewer }) {
  if (viewer.memberships.length === 0) {
    return (
      <p>
        {viewer.operator
          ? 'You are a member of no team. As an operator you may open every team.'
          : 'You are in no team yet. An admin of a team can invite you; send them your e-mail address.'}
      </p>
    );
  }
  return (
    <ul class="links">
      {viewer.memberships.map(({ teamId, team, role }) => (
        <li>
          <a href={`/t/${teamId}`}>{team}</a> <span class="state">{role}</span>
        </li>
      ))}
    </ul>
  );
}
