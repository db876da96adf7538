import { type ContactView } from '../../contacts/contacts.service.js';
import { NumberLink, PostForm } from './controls.js';
import { Layout } from './layout.js';
import { type Frame } from './page-frame.service.js';

/** Asks before a person is erased, which cannot be undone. The frame's own page is where a "no" leads. */
export function erasePage(frame: Frame, teamId: string, contact: ContactView) {
  return (
    <Layout frame={frame} section={null} title="Erase a person">
      <h1>
        Erase <NumberLink teamId={teamId} phoneNumber={contact.phoneNumber} />?
      </h1>
      <p class="soft small">{contact.contactId}</p>
      <section class="card" id="erase">
        <p>
          {contact.name ?? 'This person'} is taken out of every table, for good: name, e-mail address,
          company, properties, variables and prompts go, and nobody can read the number again.
        </p>
        <p>
          Pending calls are canceled and enrollments end. Calls stay as facts without the person. The Do Not
          Call list and the limits of the number go on to hold.
        </p>
        <PostForm frame={frame} action={`/admin/teams/${teamId}/contacts/${contact.contactId}/erase`}>
          <button class="danger">Yes, erase this person for good</button>
        </PostForm>
        <p>
          <a href={frame.request.self}>No, back</a>
        </p>
      </section>
    </Layout>
  );
}
