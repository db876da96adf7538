import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { FilterBar, setFilters } from '../design/filter-bar.view.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { RowLink } from '../design/row-link.view.js';
import { PhoneField } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { CONTACT_LABELS } from './contact-form.js';
import { type ListedContact } from './contact-list-page.sql.js';

/** The filters of the address, besides the number, with their labels. */
export const TEXT_FILTERS = {
  namePrefix: 'Name begins with',
  email: CONTACT_LABELS.email ?? '',
  externalId: CONTACT_LABELS.externalId ?? '',
} as const;
export type SentContactFilters = Partial<Record<keyof typeof TEXT_FILTERS | 'phoneNumber', string>>;

interface ContactListProps {
  /** The filters as they were sent. */
  sent: SentContactFilters;
  /** Null: the address is refused. */
  contacts: Page<ListedContact> | null;
}

/** The contacts of a team by the filters of the address, the newest first. */
export function contactListPage(frame: Frame, { sent, contacts }: ContactListProps) {
  const list = `${frame.base}/contacts`;
  return (
    <Layout frame={frame} section="contacts" title="Contacts">
      <div class="head-row">
        <h1>Contacts</h1>
        {may(frame, 'contacts.change') && (
          <a class="button" href={`${list}/new`}>
            Add a contact
          </a>
        )}
      </div>
      <FilterBar
        action={list}
        set={setFilters({
          Number: sent.phoneNumber,
          ...Object.fromEntries(names().map((name) => [TEXT_FILTERS[name], sent[name]])),
        })}
        without={list}
        refused={frame.problem !== null}
      >
        <PhoneField value={sent.phoneNumber ?? null} />
        {names().map((name) => (
          <label>
            {TEXT_FILTERS[name]}
            <input name={name} value={sent[name] ?? ''} autocomplete="off" autocapitalize="none" />
          </label>
        ))}
      </FilterBar>
      {contacts !== null && (
        <section class="card" id="contacts">
          <p class="soft small">{sent.namePrefix === undefined ? 'The newest first.' : 'By name.'}</p>
          <List frame={frame} sent={sent} contacts={contacts.items} />
          {contacts.nextCursor !== null && (
            <p>
              <a href={address(list, { ...sent, cursor: contacts.nextCursor })}>
                {sent.namePrefix === undefined ? 'Older contacts' : 'Further contacts'}
              </a>
            </p>
          )}
        </section>
      )}
    </Layout>
  );
}

interface ListProps {
  frame: Frame;
  sent: SentContactFilters;
  contacts: readonly ListedContact[];
}

function List({ frame, sent, contacts }: ListProps) {
  if (contacts.length === 0) return <Nothing frame={frame} sent={sent} />;
  return (
    <table class="stack linked">
      <thead>
        <tr>
          <th>Name</th>
          <th>Number</th>
          <th>{CONTACT_LABELS.email}</th>
          <th>{CONTACT_LABELS.externalId}</th>
        </tr>
      </thead>
      {contacts.map(({ contactId, name, phoneNumber, email, externalId }) => (
        <tr data-contact={contactId}>
          <td class="long">
            <RowLink href={`${frame.base}/contacts/${contactId}`}>
              {name ?? <span class="soft">Without a name</span>}
            </RowLink>
          </td>
          <td class="nowrap">
            <PhoneNumber number={phoneNumber} />
          </td>
          <td class={email === null ? 'wide long' : 'long'}>{email}</td>
          <td class={externalId === null ? 'wide long' : 'long'} data-name={CONTACT_LABELS.externalId}>
            {externalId}
          </td>
        </tr>
      ))}
    </table>
  );
}

function Nothing({ frame, sent }: Pick<ListProps, 'frame' | 'sent'>) {
  const isFiltered = Object.keys(sent).length > 0;
  const mayAdd = may(frame, 'contacts.change');
  return (
    <>
      <p>{isFiltered ? 'No contact is like this.' : 'There is no contact yet.'}</p>
      {isFiltered && sent.phoneNumber !== undefined && mayAdd && (
        <p>
          <a href={address(`${frame.base}/contacts/new`, { phoneNumber: sent.phoneNumber })}>
            Add a contact with this number
          </a>
        </p>
      )}
      {!isFiltered && (
        <p class="soft">
          A contact is added here, by a call request, by the API or by an import. Each number of a team is one
          contact.
        </p>
      )}
    </>
  );
}

const names = () => Object.keys(TEXT_FILTERS) as (keyof typeof TEXT_FILTERS)[];
