import { type ContactView } from '../../contacts/contacts.service.js';
import { ConfirmationPage } from '../frame/confirmation.view.js';
import { NumberLink } from '../frame/controls.js';
import { type Frame } from '../frame/page-frame.service.js';

/** The confirmation page of an erasure. */
export function erasePage(frame: Frame, teamId: string, contact: ContactView) {
  return (
    <ConfirmationPage
      frame={frame}
      id="erase"
      title="Erase a contact"
      question={
        <>
          Erase <NumberLink teamId={teamId} phoneNumber={contact.phoneNumber} />?
        </>
      }
      subject={contact.contactId}
      action={`/t/${teamId}/contacts/${contact.contactId}/erase`}
      answer={<button class="danger">Yes, erase this contact permanently</button>}
    >
      <p>
        {contact.name ?? 'This contact'} is permanently removed from every table: name, e-mail address,
        company, properties, variables and prompts are deleted, and the number becomes a hash.
      </p>
      <p>
        Pending calls are canceled and enrollments end. Ended calls stay without personal data. The Do Not
        Call list and the limits of the number still apply.
      </p>
    </ConfirmationPage>
  );
}
