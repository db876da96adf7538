import { type Page } from '../../http/page.js';
import { type WhitelistResource } from '../../suppression/number-lists.dto.js';
import { address } from '../design/address.js';
import { EmptyState } from '../design/empty-state.view.js';
import { AreaRow } from '../design/form-field.view.js';
import { Instant } from '../design/instant.view.js';
import { Badge, Hidden, NumberLink, PhoneField, PostForm } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { type Corrections, Rejected } from './do-not-call.view.js';

export type WhitelistCorrections = Pick<Corrections, 'numbers' | 'problem' | 'added' | 'rejected'>;

/** A number that is looked up; `entry` is null if it is not on the list. */
export interface LookedUpOnWhitelist {
  phoneNumber: string;
  entry: WhitelistResource | null;
}

interface WhitelistProps {
  /** Whether the team calls only these numbers. */
  whitelistOnly: boolean;
  /** Null if the address is refused. */
  entries: Page<WhitelistResource> | null;
  asked: LookedUpOnWhitelist | null;
  corrections: WhitelistCorrections | null;
}

/** The whitelist of a team: whether it holds, its numbers, and the form that adds some. */
export function whitelistPage(frame: Frame, { whitelistOnly, entries, asked, corrections }: WhitelistProps) {
  const self = `${frame.base}/whitelist`;
  return (
    <Layout frame={frame} section="settings" title="Whitelist">
      <h1>Whitelist</h1>
      <p class="soft">
        {whitelistOnly
          ? 'The team calls only the numbers on this list. Every other call is refused.'
          : 'The list has no effect now: the team calls numbers that are not on it, too.'}{' '}
        <a href={`${frame.base}/settings/compliance`}>Compliance</a> has the setting.
      </p>
      <form class="bar" method="get" action={self}>
        <PhoneField value={asked?.phoneNumber ?? frame.request.phoneNumber} />
        <button>Look up</button>
      </form>
      {asked !== null && (
        <section class="card" id="looked-up">
          <h2>
            {asked.entry === null ? (
              asked.phoneNumber
            ) : (
              <NumberLink teamId={frame.request.teamId ?? ''} phoneNumber={asked.entry.phoneNumber} />
            )}{' '}
            {asked.entry === null ? <Badge>Not on the list</Badge> : <Badge mood="good">On the list</Badge>}
          </h2>
          {asked.entry !== null && (
            <>
              <p>
                Added <Instant zone={frame.zone} at={asked.entry.createdAt} />.
              </p>
              <RemoveForm frame={frame} entry={asked.entry} />
            </>
          )}
        </section>
      )}
      <section class="card" id="add">
        <h2>Add numbers</h2>
        {corrections !== null && <Rejected {...corrections} />}
        <PostForm frame={frame} action={self} back={self}>
          <AreaRow
            name="phoneNumbers"
            label="Phone numbers, one a line"
            value={corrections?.numbers ?? ''}
            rows={4}
          />
          <button class="main">Add to the whitelist</button>
        </PostForm>
      </section>
      {entries !== null && <ListSection frame={frame} entries={entries} />}
    </Layout>
  );
}

function ListSection({
  frame,
  entries: { items, nextCursor },
}: {
  frame: Frame;
  entries: Page<WhitelistResource>;
}) {
  return (
    <section class="card" id="list">
      <h2>The list</h2>
      {items.length === 0 ? (
        <EmptyState>No number is on the whitelist.</EmptyState>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th>Number</th>
              <th>Added</th>
              <th>
                <span class="unseen">Change</span>
              </th>
            </tr>
          </thead>
          {items.map((entry) => (
            <tr data-entry={entry.phoneNumber}>
              <td class="nowrap">
                <NumberLink teamId={frame.request.teamId ?? ''} phoneNumber={entry.phoneNumber} />
              </td>
              <td data-name="Added">
                <Instant zone={frame.zone} at={entry.createdAt} />
              </td>
              <td>
                <RemoveForm frame={frame} entry={entry} />
              </td>
            </tr>
          ))}
        </table>
      )}
      {nextCursor !== null && (
        <p>
          <a
            href={address(`${frame.base}/whitelist`, {
              timezone: frame.request.parameter('timezone'),
              cursor: nextCursor,
            })}
          >
            More numbers
          </a>
        </p>
      )}
    </section>
  );
}

function RemoveForm({ frame, entry: { phoneNumber } }: { frame: Frame; entry: WhitelistResource }) {
  return (
    <details>
      <summary>
        Remove<Hidden> {phoneNumber}</Hidden>…
      </summary>
      <PostForm frame={frame} action={`${frame.base}/whitelist/remove`}>
        <input type="hidden" name="phoneNumber" value={phoneNumber} />
        <button class="danger">Yes, take it off the whitelist</button>
      </PostForm>
    </details>
  );
}
