import { type ContactView } from '../../contacts/contacts.service.js';
import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { AreaRow, TextRow } from '../design/form-field.view.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { ZONES_LIST, ZonesList } from '../design/zones-list.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { CONTACT_LABELS, PHONE_NUMBER, PROPERTIES, SHOWN_KEYS, type TypedContact } from './contact-form.js';

/** The form of a contact as it was typed. */
export interface ContactForm {
  /** The contact that is changed; null: a new one. */
  contact: ContactView | null;
  typed: TypedContact;
  errors: FieldErrors;
  /** The contact that has the number or the external id that was typed; null: none, or it was not refused for this. */
  holder: ContactView | null;
}

/** The form of a new contact, or of the change of one. */
export function contactFormPage(frame: Frame, { contact, typed, errors, holder }: ContactForm) {
  const list = `${frame.base}/contacts`;
  const own = contact === null ? null : `${list}/${contact.contactId}`;
  const title = contact === null ? 'Add a contact' : 'Edit a contact';
  return (
    <Layout frame={frame} section="contacts" title={title}>
      <h1>{title}</h1>
      <ErrorSummary
        title={contact === null ? 'The contact was not added.' : 'Nothing was changed.'}
        errors={errors}
      />
      {holder !== null && (
        <p class="notice warn" id="holder">
          There is a contact with it already:{' '}
          <a href={`${list}/${holder.contactId}`}>{holder.name ?? holder.phoneNumber}</a>
        </p>
      )}
      <section class="card" id="contact">
        <PostForm frame={frame} action={own === null ? `${list}/new` : `${own}/edit`}>
          {contact === null ? (
            <TextRow
              name={PHONE_NUMBER}
              label={CONTACT_LABELS[PHONE_NUMBER] ?? ''}
              hint="In any notation. A number in national form is read as one of the team’s country. It cannot be changed later."
              error={errors[PHONE_NUMBER]}
              value={typed.phoneNumber}
              required
            />
          ) : (
            <p>
              <PhoneNumber number={contact.phoneNumber} />{' '}
              <span class="soft small">The number cannot be changed.</span>
            </p>
          )}
          {CONTACT_FIELDS.map(({ name, kind, description }) => (
            <TextRow
              name={name}
              label={CONTACT_LABELS[name] ?? name}
              hint={description}
              error={errors[name]}
              value={typed.fields[name]}
              type={kind.type === 'email' ? 'email' : 'text'}
              list={kind.type === 'timeZone' ? ZONES_LIST : undefined}
            />
          ))}
          <ZonesList />
          <AreaRow
            name={PROPERTIES}
            label={CONTACT_LABELS[PROPERTIES] ?? ''}
            hint="One a line, such as “plan: gold”. A value may be JSON. Templates read it as {{contact.plan}}."
            error={errors[PROPERTIES]}
            value={typed.properties}
            rows={5}
          />
          {contact !== null && (
            <input
              type="hidden"
              name={SHOWN_KEYS}
              value={JSON.stringify(Object.keys(contact.customProperties))}
            />
          )}
          <div class="choices">
            <button class="main">{contact === null ? 'Add contact' : 'Save'}</button>
            <a class="button" href={own ?? list}>
              Cancel
            </a>
          </div>
        </PostForm>
      </section>
    </Layout>
  );
}
