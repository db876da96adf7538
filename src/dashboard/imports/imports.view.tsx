import { type ImportView } from '../../imports/import-view.js';
import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { EmptyState } from '../design/empty-state.view.js';
import { Instant } from '../design/instant.view.js';
import { count } from '../design/local-time.js';
import { Badge, Choice } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { STATUS_WORDS, TYPE_WORDS } from './import-words.js';

interface ImportsProps {
  /** Null if the address is refused. */
  imports: Page<ImportView> | null;
  status: string | null;
}

/** A team's imports, the newest first. */
export function importsPage(frame: Frame, { imports, status }: ImportsProps) {
  const list = `${frame.base}/imports`;
  return (
    <Layout frame={frame} section="imports" title="Imports">
      <div class="head-row">
        <h1>Imports</h1>
        {may(frame, 'imports.change') && (
          <a class="button" href={`${list}/new`}>
            Import a file
          </a>
        )}
      </div>
      <p class="soft">
        Files of contacts, consents and Do Not Call numbers, uploaded here, with an API key or with the
        command line. An import is listed for a week after its end.
      </p>
      <form class="bar" method="get" action={list}>
        <Choice
          label="State"
          name="status"
          chosen={status ?? undefined}
          options={Object.entries(STATUS_WORDS).map(([value, { label }]) => [value, label] as const)}
        />
        <button class="main">Show</button>
      </form>
      {imports !== null && (
        <section class="card" id="list">
          {imports.items.length === 0 ? (
            <EmptyState>
              {status !== null
                ? 'No import is in this state.'
                : 'There is no import. An import begins with a preview of its file: nothing is stored before you start it.'}
            </EmptyState>
          ) : (
            <ImportTable frame={frame} imports={imports.items} />
          )}
          {imports.nextCursor !== null && (
            <p>
              <a
                href={address(list, {
                  status,
                  timezone: frame.request.parameter('timezone'),
                  cursor: imports.nextCursor,
                })}
              >
                Earlier imports
              </a>
            </p>
          )}
        </section>
      )}
    </Layout>
  );
}

function ImportTable({ frame, imports }: { frame: Frame; imports: readonly ImportView[] }) {
  return (
    <table class="stack">
      <thead>
        <tr>
          <th>Begun</th>
          <th>Rows are</th>
          <th>State</th>
          <th class="number">Rows</th>
          <th class="number">Imported</th>
          <th class="number">Refused</th>
        </tr>
      </thead>
      {imports.map(({ importId, createdAt, type, status, rows, created, updated, failed, error }) => (
        <tr data-import={importId}>
          <td>
            <a href={`${frame.base}/imports/${importId}`}>
              <Instant zone={frame.zone} at={createdAt} />
            </a>
          </td>
          <td data-name="Rows are">{TYPE_WORDS[type]}</td>
          <td data-name="State" class="long">
            <Badge mood={STATUS_WORDS[status].mood}>{STATUS_WORDS[status].label}</Badge>
            {error !== null && <div class="small">{error}</div>}
          </td>
          <td data-name="Rows" class="number">
            {count(rows)}
          </td>
          <td data-name="Imported" class="number">
            {count(created + updated)}
          </td>
          <td data-name="Refused" class="number">
            {count(failed)}
          </td>
        </tr>
      ))}
    </table>
  );
}
