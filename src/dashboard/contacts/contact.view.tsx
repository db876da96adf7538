import { type ComponentChildren } from 'preact';
import { type OperatorCallRow } from '../../calls/records/operator-list.service.js';
import { type ConsentResource } from '../../consents/consent.dto.js';
import { type ContactView } from '../../contacts/contacts.service.js';
import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import { type Page } from '../../http/page.js';
import { type DoNotCallService } from '../../suppression/do-not-call.service.js';
import { CallTable } from '../calls/call-table.view.js';
import { ConsentTable } from '../consents/consent-table.view.js';
import { address } from '../design/address.js';
import { countryName } from '../design/countries.js';
import { Instant } from '../design/instant.view.js';
import { numberText } from '../design/phone-number.view.js';
import { type EnrollmentOfNumberRow } from '../enrollments/enrollments-of-number.sql.js';
import { EnrollmentsOfPerson } from '../enrollments/enrollments-of-person.view.js';
import { Badge, NumberLink, PostForm } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { type AskedCall, CallNow } from './call-now.view.js';
import { CONTACT_LABELS, PROPERTIES } from './contact-form.js';
import { type PersonPlace, SOURCE_WORDS, timeAt } from './place.js';
import { propertyText } from './property-lines.js';

/** The most that the page shows; the form and the export have all. */
const MOST_PROPERTIES = 40;
const MOST_CHARACTERS = 200;
const MOST_ENROLLMENTS = 20;
const MOST_ZONES = 12;

/** What is stored of a person, besides the dry run. */
export interface ShownContact {
  contact: ContactView;
  place: PersonPlace;
  /** On the Do Not Call list; null: the number is not on it. */
  entry: Awaited<ReturnType<DoNotCallService['get']>> | null;
  /** The latest recorded. */
  consents: Page<ConsentResource>;
  /** The newest. */
  enrollments: readonly EnrollmentOfNumberRow[];
  calls: Page<OperatorCallRow>;
}

/** A person's page. */
export function contactPage(frame: Frame, shown: ShownContact, asked: AskedCall) {
  const { contact, consents, enrollments, calls } = shown;
  const { contactId, phoneNumber, name } = contact;
  const page = `${frame.base}/contacts/${contactId}`;
  return (
    <Layout frame={frame} section="contacts" title={name ?? numberText(phoneNumber)}>
      <div class="head-row">
        <h1>{name ?? numberText(phoneNumber)}</h1>
        <div class="choices">
          {may(frame, 'contacts.change') && (
            <a class="button" href={`${page}/edit`}>
              Edit
            </a>
          )}
          <a class="button" href={`${page}/export`} download>
            Export
          </a>
          {may(frame, 'contacts.change') && (
            <a class="button" href={address(`${page}/erase`, { back: frame.request.self })}>
              Erase…
            </a>
          )}
        </div>
      </div>
      <p class="soft small">
        <NumberLink teamId={frame.team?.id ?? ''} phoneNumber={phoneNumber} /> · {contactId} · times in{' '}
        {frame.zone}
      </p>
      <CallNow frame={frame} contactId={contactId} asked={asked} />
      <div class="cards">
        <About contact={contact} />
        <section class="card" id="place">
          <h2>Where, and when</h2>
          <Place frame={frame} shown={shown} />
        </section>
      </div>
      <DoNotCall frame={frame} shown={shown} />
      <EnrollmentsOfPerson frame={frame} enrollments={enrollments.slice(0, MOST_ENROLLMENTS)} told />
      <Consents frame={frame} phoneNumber={phoneNumber} consents={consents} />
      <section class="card" id="calls">
        <h2>Calls</h2>
        {calls.items.length === 0 && <p class="soft">No call to this person was ever requested.</p>}
        <CallTable frame={frame} calls={calls.items} ofOne />
        {calls.items.length > 0 && (
          <p class="choices">
            <a href={address(`${frame.base}/calls`, { phoneNumber })}>All calls</a>
            <a href={address(`${frame.base}/numbers`, { phoneNumber })}>Why each was made, or not</a>
          </p>
        )}
      </section>
    </Layout>
  );
}

function About({ contact }: { contact: ContactView }) {
  const properties = Object.entries(contact.customProperties);
  const fields = CONTACT_FIELDS.flatMap(({ name }) => {
    const value = contact[name];
    return value === null ? [] : [[CONTACT_LABELS[name] ?? name, value] as const];
  });
  return (
    <section class="card" id="about">
      <h2>The person</h2>
      {fields.length + properties.length === 0 && <p class="soft">Only the number is known.</p>}
      <Facts lines={fields} />
      {properties.length > 0 && (
        <>
          <h3>{CONTACT_LABELS[PROPERTIES]}</h3>
          <Facts
            lines={properties
              .slice(0, MOST_PROPERTIES)
              .map(([key, value]) => [shortened(key), shortened(propertyText(value))])}
          />
          {properties.length > MOST_PROPERTIES && (
            <p class="soft small">And {properties.length - MOST_PROPERTIES} more, which the export has.</p>
          )}
        </>
      )}
    </section>
  );
}

interface PartProps {
  frame: Frame;
  shown: ShownContact;
}

function Place({ frame: { now }, shown: { place } }: PartProps) {
  const { zones, source, country, jurisdictions } = place;
  const others = zones.length - MOST_ZONES;
  return (
    <Facts
      lines={[
        ['Now there', timeAt(zones, now) ?? 'Not known'],
        [
          zones.length === 1 ? 'Time zone' : 'Time zones',
          <>
            {zones.slice(0, MOST_ZONES).join(', ') || 'None known'}
            {others > 0 && ` and ${others} more`} <span class="soft small">({SOURCE_WORDS[source]})</span>
          </>,
        ],
        ['Country', country === null ? 'None: the number is of no country' : countryName(country)],
        ['Jurisdictions', jurisdictions.join(', ') || 'None known'],
      ]}
    />
  );
}

function DoNotCall({ frame, shown: { contact, entry } }: PartProps) {
  const list = `${frame.base}/do-not-call`;
  const { phoneNumber } = contact;
  return (
    <section class="card" id="do-not-call">
      <h2>
        Do Not Call {entry === null ? <Badge>Not on the list</Badge> : <Badge mood="bad">On the list</Badge>}
      </h2>
      {entry !== null && (
        <p>
          {entry.reason ?? 'No reason given'}, added <Instant zone={frame.zone} at={entry.createdAt} />.
        </p>
      )}
      {may(frame, 'suppressions.change') && entry === null && (
        <details>
          <summary>Add to Do Not Call…</summary>
          <p class="soft small">
            The number is never dialed by this team from then on. Calls that wait are blocked, and enrollments
            end.
          </p>
          <PostForm frame={frame} action={list}>
            <input type="hidden" name="phoneNumbers" value={phoneNumber} />
            <p>
              <label>
                Reason, if any
                <input name="reason" maxlength={500} autocomplete="off" />
              </label>
            </p>
            <button class="danger">Add to Do Not Call</button>
          </PostForm>
        </details>
      )}
      {may(frame, 'suppressions.change') && entry !== null && (
        <details>
          <summary>Remove…</summary>
          <PostForm frame={frame} action={`${list}/remove`}>
            <input type="hidden" name="phoneNumber" value={phoneNumber} />
            <button class="danger">Yes, it may be called again</button>
          </PostForm>
        </details>
      )}
    </section>
  );
}

interface ConsentsProps {
  frame: Frame;
  phoneNumber: string;
  consents: Page<ConsentResource>;
}

function Consents({ frame, phoneNumber, consents: { items, nextCursor } }: ConsentsProps) {
  const all = address(`${frame.base}/consents`, { phoneNumber });
  return (
    <section class="card" id="consents">
      <h2>Consents</h2>
      {items.length === 0 ? (
        <p class="soft">No consent of this person is recorded.</p>
      ) : (
        <ConsentTable frame={frame} teamId={frame.team?.id ?? ''} consents={items} withNumber={false} />
      )}
      {(nextCursor !== null || may(frame, 'suppressions.change')) && (
        <p>
          <a href={all}>{nextCursor === null ? 'Record a consent…' : 'All consents'}</a>
        </p>
      )}
    </section>
  );
}

function Facts({ lines }: { lines: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {lines.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

const shortened = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
