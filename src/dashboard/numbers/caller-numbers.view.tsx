import { type Page } from '../../http/page.js';
import { type NumberPoolResource } from '../../phone-numbers/number-pool.dto.js';
import { type PhoneNumberResource } from '../../phone-numbers/phone-number.dto.js';
import { address } from '../design/address.js';
import { Checks, TextRow } from '../design/form-field.view.js';
import { count } from '../design/local-time.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { Badge, Hidden, PhoneField, PostForm } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';

/** The two switches of a number. A caller ID needs both. */
export const FLAGS = [
  { value: 'active', label: 'Active', meaning: 'It may be used as a caller ID.' },
  {
    value: 'outboundEnabled',
    label: 'Outbound calling',
    meaning: 'The carrier has provisioned outbound calling for it.',
  },
] as const;

/** The name of their checkboxes. */
export const FLAGS_FIELD = 'flags';

/** The most members of a pool that the list names. */
const NAMED = 5;

interface CallerNumbersProps {
  frame: Frame;
  numbers: Page<PhoneNumberResource>;
  pools: Page<NumberPoolResource>;
  /** The number that was refused. */
  refused: { phoneNumber: string; error: string } | null;
}

/** The numbers that a team calls from, its pools, and the field that looks up a called number. */
export function callerNumbersPage({ frame, numbers, pools, refused }: CallerNumbersProps) {
  return (
    <Layout frame={frame} section="numbers" title="Numbers">
      <h1>Numbers</h1>
      <section class="card" id="look-up">
        <h2>Look up a called number</h2>
        <p class="soft">Why was this person called, or not?</p>
        <form class="bar" method="get" action={`${frame.base}/numbers`}>
          <PhoneField value={null} required />
          <button class="main">Look up</button>
        </form>
      </section>
      <Numbers frame={frame} numbers={numbers} />
      {may(frame, 'numbers.change') && <NewNumber frame={frame} refused={refused} />}
      <Pools frame={frame} pools={pools} />
    </Layout>
  );
}

function Numbers({ frame, numbers }: Pick<CallerNumbersProps, 'frame' | 'numbers'>) {
  const mayChange = may(frame, 'numbers.change');
  return (
    <section class="card" id="numbers">
      <h2>Numbers to call from</h2>
      {!mayChange && <p class="soft">The operator of the deployment adds them and turns them on and off.</p>}
      {numbers.items.length === 0 ? (
        <p>The team has no number to call from yet.</p>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th>Number</th>
              <th>State</th>
              {mayChange && (
                <th>
                  <Hidden>Change</Hidden>
                </th>
              )}
            </tr>
          </thead>
          {numbers.items.map((number) => (
            <tr data-number={number.id}>
              <td class="nowrap">
                <PhoneNumber number={number.phoneNumber} />
              </td>
              <td data-name="State">
                <State number={number} />
              </td>
              {mayChange && (
                <td>
                  <ChangeNumber frame={frame} number={number} />
                </td>
              )}
            </tr>
          ))}
        </table>
      )}
      {numbers.nextCursor !== null && (
        <p>
          <a href={address(`${frame.base}/numbers`, { cursor: numbers.nextCursor })}>More numbers</a>
        </p>
      )}
    </section>
  );
}

function State({ number: { active, outboundEnabled } }: { number: PhoneNumberResource }) {
  if (active && outboundEnabled) return <Badge mood="good">Calls</Badge>;
  return <Badge mood="warn">{active ? 'Outbound calling is not provisioned' : 'Not active'}</Badge>;
}

function ChangeNumber({ frame, number }: { frame: Frame; number: PhoneNumberResource }) {
  const { id, phoneNumber, active, outboundEnabled } = number;
  const chosen = [...(active ? ['active'] : []), ...(outboundEnabled ? ['outboundEnabled'] : [])];
  return (
    <details>
      <summary>
        Change<Hidden> {phoneNumber}</Hidden>…
      </summary>
      <PostForm frame={frame} action={`${frame.base}/numbers/${id}`}>
        <Checks name={FLAGS_FIELD} checks={FLAGS} chosen={chosen} />
        <button>
          Save<Hidden> {phoneNumber}</Hidden>
        </button>
      </PostForm>
    </details>
  );
}

function NewNumber({ frame, refused }: Pick<CallerNumbersProps, 'frame' | 'refused'>) {
  return (
    <section class="card" id="add-number">
      <h2>Add a number</h2>
      <PostForm frame={frame} action={`${frame.base}/numbers`}>
        <TextRow
          name="phoneNumber"
          label="Phone number"
          hint="With its country code, such as +1 415 555 0100, or in national form if the team has a country."
          value={refused?.phoneNumber ?? ''}
          error={refused?.error ?? null}
          required
        />
        <button>Add the number</button>
      </PostForm>
    </section>
  );
}

function Pools({ frame, pools }: Pick<CallerNumbersProps, 'frame' | 'pools'>) {
  const mayChange = may(frame, 'pools.change');
  return (
    <section class="card" id="pools">
      <div class="head-row">
        <h2>Pools</h2>
        {mayChange && (
          <a class="button" href={`${frame.base}/numbers/pools/new`}>
            New pool
          </a>
        )}
      </div>
      <p class="soft">An agent with a pool calls from the number of it that was used the longest time ago.</p>
      {pools.items.length === 0 ? (
        <p>The team has no pool.</p>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th>Pool</th>
              <th>Numbers</th>
            </tr>
          </thead>
          {pools.items.map(({ id, name, phoneNumbers }) => (
            <tr id={`pool-${id}`}>
              <td class="long">
                {mayChange ? <a href={`${frame.base}/numbers/pools/${id}`}>{name}</a> : name}
              </td>
              <td data-name="Numbers">
                <Members numbers={phoneNumbers} />
              </td>
            </tr>
          ))}
        </table>
      )}
      {pools.nextCursor !== null && (
        <p>
          <a href={address(`${frame.base}/numbers`, { pools: pools.nextCursor })}>More pools</a>
        </p>
      )}
    </section>
  );
}

function Members({ numbers }: { numbers: readonly string[] }) {
  if (numbers.length === 0) return <Badge mood="warn">Empty</Badge>;
  const rest = numbers.length - NAMED;
  return (
    <>
      {numbers.slice(0, NAMED).map((number, n) => (
        <>
          {n > 0 && ', '}
          <PhoneNumber number={number} />
        </>
      ))}
      {rest > 0 && ` and ${count(rest)} more`}
    </>
  );
}
