import { Injectable } from '@nestjs/common';
import { ContactsService, type ContactView } from '../../contacts/contacts.service.js';
import { TeamContactsService } from '../../contacts/team-contacts.service.js';
import { AppError } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { errorsOfRefusal, type FieldErrors } from '../frame/form-errors.js';
import { PageFrame } from '../frame/page-frame.service.js';
import {
  bodyOf,
  CONTACT_LABELS,
  PHONE_NUMBER,
  PROPERTIES,
  type TypedContact,
  typedOfContact,
} from './contact-form.js';
import { contactFormPage } from './contact-form.view.js';

/** Adds and changes contacts, with the services of the API. */
@Injectable()
export class ContactFormPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly contacts: ContactsService,
    private readonly own: TeamContactsService,
  ) {}

  /** The empty form; the address may name the number. */
  async adding(request: PageRequest): Promise<PageElement> {
    const typed = typedOfContact(null, request.phoneNumber ?? '');
    return contactFormPage(await this.frames.of(request), { contact: null, typed, errors: {}, holder: null });
  }

  /** The form of a contact. @throws AppError `NOT_FOUND`. */
  async editing(request: PageRequest, teamId: string, contactId: string): Promise<PageElement> {
    const contact = await this.contacts.get(teamId, contactId);
    const typed = typedOfContact(contact);
    return contactFormPage(await this.frames.of(request), { contact, typed, errors: {}, holder: null });
  }

  /** @returns the id of the new contact, or the form as it was typed, and why it was refused. */
  async add(request: PageRequest, teamId: string, typed: TypedContact): Promise<string | RefusedPage> {
    const { body, errors } = bodyOf(typed, null, []);
    if (Object.keys(errors).length > 0) return this.refused(request, { contact: null, typed, errors });
    try {
      return await this.own.create(teamId, body);
    } catch (error) {
      return this.refusedBy(request, teamId, { contact: null, typed, error });
    }
  }

  /**
   * @param shown the keys of the properties that the form showed.
   * @returns whether anything was changed, or the form as it was typed, and why it was refused.
   * @throws AppError `NOT_FOUND`.
   */
  async change(
    request: PageRequest,
    teamId: string,
    { contactId, typed, shown }: { contactId: string; typed: TypedContact; shown: readonly string[] },
  ): Promise<boolean | RefusedPage> {
    const contact = await this.contacts.get(teamId, contactId);
    const { body, errors } = bodyOf(typed, contact, shown);
    if (Object.keys(errors).length > 0) return this.refused(request, { contact, typed, errors });
    if (Object.keys(body).length === 0) return false;
    try {
      await this.own.update(teamId, contactId, body, 'person');
      return true;
    } catch (error) {
      return this.refusedBy(request, teamId, { contact, typed, error });
    }
  }

  /** @throws every error that is no refusal of what was typed. */
  private async refusedBy(
    request: PageRequest,
    teamId: string,
    { contact, typed, error }: { contact: ContactView | null; typed: TypedContact; error: unknown },
  ): Promise<RefusedPage> {
    // A fault without a field is that of the properties, which are too large.
    const { '': ofAll, ...named } = errorsOfRefusal(error, CONTACT_LABELS);
    const errors = ofAll === undefined ? named : { ...named, [PROPERTIES]: ofAll };
    const holderId = holderOf(error);
    const holder = holderId === null ? null : await this.contacts.get(teamId, holderId).catch(() => null);
    const told = holder === null ? errors : withoutIds(errors);
    return this.refused(request, { contact, typed, errors: told, holder });
  }

  private async refused(
    request: PageRequest,
    form: {
      contact: ContactView | null;
      typed: TypedContact;
      errors: FieldErrors;
      holder?: ContactView | null;
    },
  ): Promise<RefusedPage> {
    const frame = await this.frames.of(request);
    return new RefusedPage(contactFormPage(frame, { holder: null, ...form }));
  }
}

/** The contact that has the number or the external id. */
function holderOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  const { externalIdContactId, contactId } = error.details;
  const id = externalIdContactId ?? contactId;
  return typeof id === 'string' ? id : null;
}

/** A link leads to the contact, so that the messages need no ids. */
function withoutIds(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.keys(errors).map((field) => [
      field,
      `${field === PHONE_NUMBER ? 'This number' : (CONTACT_LABELS[field] ?? field)} belongs to another contact.`,
    ]),
  );
}
