import { type ContactView } from '../../contacts/contacts.service.js';
import { NumberLink, PostForm } from './controls.js';
import { Layout } from './layout.js';
import { type Frame } from './page-frame.service.js';

/** The confirmation page of an erasure, which cannot be undone. "No" leads to the frame's own page. */
export function erasePage(frame: Frame, teamId: string, contact: ContactView) {
  return (
    <Layout frame={frame} section={null} title="Erase a person">
      <h1>
        Erase <NumberLink teamId={teamId} phoneNumber={contact.phoneNumber} />?
      </h1>
      <p class="soft small">{contact.contactId}</p>
      <section class="card" id="erase">
        <p>
          {contact.name ?? 'This person'} is permanently removed from every table: name, e-mail address,
          company, properties, variables and prompts are deleted, and the number becomes a hash.
        </p>
        <p>
          Pending calls are canceled and enrollments end. Ended calls stay without personal data. The Do Not
          Call list and the limits of the number still apply.
        </p>
        <PostForm frame={frame} action={`/admin/teams/${teamId}/contacts/${contact.contactId}/erase`}>
          <button class="danger">Yes, erase this person permanently</button>
        </PostForm>
        <p>
          <a href={frame.request.self}>No, back</a>
        </p>
      </section>
    </Layout>
  );
}
