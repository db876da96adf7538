import { address } from '../design/address.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { SHOWN } from './search.sql.js';
import { type Sought } from './sought.js';

/** A thing that was found. */
export interface Result {
  key: string;
  /** The name of its team. */
  team: string;
  title: string;
  detail: string;
  /** Null: it has no page. */
  url: string | null;
}

/** Things of a kind. */
export interface Group {
  title: string;
  results: Result[];
  /** Whether there are more than are shown. */
  more: boolean;
}

export interface Search {
  sought: Sought;
  groups: Group[];
}

/** What was found, by kind, and the field to search again. */
export function searchPage(frame: Frame, { sought, groups }: Search) {
  const { text } = sought;
  return (
    <Layout frame={frame} section={null} title={text === '' ? 'Search' : `Search: ${text}`} live>
      <h1>Search</h1>
      <form class="bar" role="search" aria-label="Search again" method="get" action={`${frame.base}/search`}>
        <label>
          A number, a name, an e-mail address or an id
          <input
            name="q"
            type="text"
            value={text}
            autocomplete="off"
            {...asOneTypes(`${frame.base}/search`)}
          />
        </label>
        <button class="main">Search</button>
      </form>
      <div id="results" aria-live="polite">
        {text !== '' && groups.length === 0 && <Nothing frame={frame} sought={sought} />}
        {groups.map((group) => (
          <section class="card" data-kind={group.title}>
            <h2>{group.title}</h2>
            <ul class="found">
              {group.results.map((result) => (
                <li>
                  {result.url === null ? <b>{result.title}</b> : <a href={result.url}>{result.title}</a>}
                  <span class="soft">
                    {[result.detail, frame.scope === 'platform' ? result.team : '']
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
            {group.more && <p class="soft small">The first {SHOWN}. Type more to find fewer.</p>}
          </section>
        ))}
      </div>
    </Layout>
  );
}

/** Where a script runs, the results follow the text. */
const asOneTypes = (url: string) => ({
  'hx-get': url,
  'hx-trigger': 'input changed delay:250ms',
  'hx-select': '#results',
  'hx-target': '#results',
  'hx-swap': 'outerHTML',
});

function Nothing({ frame, sought: { text, numbers } }: { frame: Frame; sought: Sought }) {
  const { base, scope } = frame;
  const [number] = numbers ?? [];
  return (
    <section class="card" id="nothing">
      <h2>Nothing was found for “{text}”</h2>
      {number !== undefined && scope === 'team' && (
        <p>
          Nobody with the number {number} is stored.{' '}
          <a href={address(`${base}/numbers`, { phoneNumber: number })}>What holds for the number</a>
          {may(frame, 'contacts.change') && (
            <>
              {' '}
              · <a href={address(`${base}/contacts/new`, { phoneNumber: number })}>Add a contact</a>
            </>
          )}
        </p>
      )}
      <p class="soft">
        Names are found by their beginning, numbers in any notation or by at least five of their last digits,
        and e-mail addresses, ids and external ids as a whole.
      </p>
    </section>
  );
}
