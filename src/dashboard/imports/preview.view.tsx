import { type HeldLook } from '../../imports/upload/held-imports.service.js';
import { CONTACT_FIELD_NAMES } from '../../domain/contact-fields.js';
import { address } from '../design/address.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { count } from '../design/local-time.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { Badge, Hidden, PostForm, Question } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { COUNT_WORDS, TYPE_WORDS } from './import-words.js';
import { FIELD_LABELS } from '../contacts/contact-labels.js';
import { reasonText, TARGET_WORDS, targetsOf } from './target-words.js';

/** The most columns whose choice is on one page. */
export const COLUMNS_SHOWN = 40;
/** The most rows, properties of a row and cells of a refused row that are shown, and the most characters of each. */
const SHOWN = { rows: 10, refused: 15, properties: 4, cells: 8, text: 40 };

export const columnField = (at: number): string => `column-${at}`;

type Look = NonNullable<HeldLook['look']>;

interface PreviewProps extends HeldLook {
  lookedAt: number;
  canLookAtAll: boolean;
  /** The first column that is shown. */
  from: number;
  errors: FieldErrors;
  /** What was chosen in a form that was refused. */
  chosen: Record<string, string>;
}

/** What an import would do: its columns, its first rows, and the rows that it would refuse. */
export function previewPage(frame: Frame, preview: PreviewProps) {
  const { held, columns, look, errors } = preview;
  const self = `${frame.base}/imports/${held.importId}/preview`;
  return (
    <Layout frame={frame} section="imports" title="Preview of an import">
      <h1>Preview: {TYPE_WORDS[held.type].toLowerCase()} from a file</h1>
      <p class="soft">
        {count(held.rows)} rows are uploaded, and none is imported yet. The file is removed if the import is
        not started within an hour.
      </p>
      {held.warnings?.map(({ text }) => (
        <p class="notice warn">{text}</p>
      ))}
      <ErrorSummary title="The columns were not changed." errors={errors} />
      <PostForm frame={frame} action={self} back={self}>
        {columns !== null && <ColumnsSection {...preview} columns={columns} self={self} />}
        {look !== null && <OutcomeSection {...preview} look={look} self={self} />}
      </PostForm>
      {look !== null && look.failed > 0 && <RefusedSection look={look} />}
      {look !== null && look.firstRows.length > 0 && <RowsSection look={look} />}
      <section class="card" id="actions">
        <Question
          frame={frame}
          action={`${frame.base}/imports/${held.importId}/cancel`}
          what="Discard the file"
          answer="Discard it"
        >
          The uploaded rows are removed, and nothing is imported.
        </Question>
      </section>
    </Layout>
  );
}

interface PartProps extends PreviewProps {
  self: string;
}

function ColumnsSection(props: PartProps & { columns: NonNullable<HeldLook['columns']> }) {
  const { held, columns, samples, missing, from, errors, chosen, self } = props;
  const targets = targetsOf(held.type);
  const numbers = columns.filter((one) => one.mayBeNumber);
  return (
    <section class="card" id="columns">
      <h2>Columns</h2>
      {missing.length > 0 && (
        <p class="notice warn" id="missing">
          {missing.includes('phoneNumber') && numbers.length > 1
            ? `${numbers.map(({ header }) => `“${header}”`).join(' and ')} may both be the number to call. Choose one as the phone number.`
            : `Choose the column that is the ${missing.map((field) => wordOf(field).toLowerCase()).join(', and the one that is the ')}.`}
        </p>
      )}
      <table class="stack">
        <thead>
          <tr>
            <th>Column</th>
            <th>In the file</th>
            <th>Is</th>
          </tr>
        </thead>
        {columns.slice(from, from + COLUMNS_SHOWN).map(({ header, target }, n) => {
          const field = columnField(from + n);
          return (
            <tr>
              <td class="long">
                <b>{cut(header)}</b>
              </td>
              <td class="long soft" data-name="In the file">
                {samples
                  .map((cells) => cells[from + n] ?? '')
                  .filter((cell) => cell !== '')
                  .map(cut)
                  .join(' · ')}
              </td>
              <td data-name="Is">
                {target === null ? (
                  'Custom properties, of an export'
                ) : (
                  <>
                    <label for={`field-${field}`}>
                      <Hidden>What “{cut(header)}” is</Hidden>
                    </label>
                    <select
                      id={`field-${field}`}
                      name={field}
                      aria-invalid={errors[field] === undefined ? undefined : 'true'}
                    >
                      {targets.map((one) => (
                        <option value={one} selected={one === (chosen[field] ?? target)}>
                          {TARGET_WORDS[one]}
                        </option>
                      ))}
                    </select>
                  </>
                )}
                {errors[field] !== undefined && <p class="error">{errors[field]}</p>}
              </td>
            </tr>
          );
        })}
      </table>
      {columns.length > COLUMNS_SHOWN && (
        <p class="small">
          Columns {from + 1} to {Math.min(from + COLUMNS_SHOWN, columns.length)} of {columns.length}.{' '}
          {from > 0 && <a href={address(self, { from: String(from - COLUMNS_SHOWN) })}>Earlier columns</a>}{' '}
          {from + COLUMNS_SHOWN < columns.length && (
            <a href={address(self, { from: String(from + COLUMNS_SHOWN) })}>Further columns</a>
          )}
        </p>
      )}
      <p class="save">
        <button name="act" value="look">
          Look again with these columns
        </button>
      </p>
    </section>
  );
}

function OutcomeSection({ look, held, lookedAt, canLookAtAll, self }: PartProps & { look: Look }) {
  const { rows, known, repeated, failed, warned, withoutTimezone } = look;
  const words = COUNT_WORDS[held.type];
  return (
    <section class="card" id="outcome">
      <h2>What the import would do</h2>
      {lookedAt < held.rows && (
        <p class="notice warn">
          These are the first {count(lookedAt)} of {count(held.rows)} rows.{' '}
          {canLookAtAll && <a href={address(self, { rows: 'all' })}>Look at all rows</a>}
        </p>
      )}
      <dl class="facts">
        <dt>Rows</dt>
        <dd>{count(rows)}</dd>
        <dt>{words.created}</dt>
        <dd>{count(look.new)}</dd>
        <dt>{words.updated}</dt>
        <dd>{count(known)}</dd>
        {repeated > 0 && (
          <>
            <dt>Of an earlier row</dt>
            <dd>{count(repeated)}</dd>
          </>
        )}
        <dt>Refused</dt>
        <dd>{failed > 0 ? <a href="#refused">{count(failed)}</a> : '0'}</dd>
        {warned > 0 && (
          <>
            <dt>Stored with something left out</dt>
            <dd>{count(warned)}</dd>
          </>
        )}
        {withoutTimezone > 0 && (
          <>
            <dt>Without a time zone</dt>
            <dd>{count(withoutTimezone)}; the place of the number or the agent decides</dd>
          </>
        )}
      </dl>
      <p class="save">
        <button class="main" name="act" value="start">
          Import {count(held.rows)} {held.rows === 1 ? 'row' : 'rows'}
        </button>
      </p>
    </section>
  );
}

function RefusedSection({ look: { badRows, failures } }: { look: Look }) {
  const reasons = Object.entries(failures).sort(([, one], [, two]) => two - one);
  return (
    <section class="card" id="refused">
      <h2>Rows that would be refused</h2>
      <ul>
        {reasons.slice(0, SHOWN.refused).map(([reason, n]) => (
          <li>
            {reasonText(reason)}: {count(n)}
          </li>
        ))}
      </ul>
      <table class="stack">
        <thead>
          <tr>
            <th class="number">Row</th>
            <th>Reason</th>
            <th>In the file</th>
          </tr>
        </thead>
        {badRows.slice(0, SHOWN.refused).map(({ row, error, cells, line }) => (
          <tr>
            <td class="number" data-name="Row">
              {count(row)}
            </td>
            <td class="long" data-name="Reason">
              {reasonText(error)}
            </td>
            <td class="long soft" data-name="In the file">
              {line === undefined ? (cells ?? []).slice(0, SHOWN.cells).map(cut).join(' · ') : cut(line)}
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

const OUTCOMES = {
  new: { mood: 'good', label: 'new' },
  known: { mood: '', label: 'known' },
  repeated: { mood: 'warn', label: 'repeated' },
} as const;

function RowsSection({ look: { firstRows } }: { look: Look }) {
  return (
    <section class="card" id="rows">
      <h2>The first rows as they will be stored</h2>
      <table class="stack">
        <thead>
          <tr>
            <th class="number">Row</th>
            <th>Phone number</th>
            <th>Name</th>
            <th>E-mail</th>
            <th>Time zone</th>
            <th>Further</th>
          </tr>
        </thead>
        {firstRows.slice(0, SHOWN.rows).map((row) => (
          <tr data-row={row.row}>
            <td class="number" data-name="Row">
              {count(row.row)}
            </td>
            <td class="nowrap">
              <PhoneNumber number={row.phoneNumber} />{' '}
              <Badge mood={OUTCOMES[row.outcome].mood}>{OUTCOMES[row.outcome].label}</Badge>
            </td>
            <td class="long" data-name="Name">
              {cut(row.name ?? '')}
            </td>
            <td class="long" data-name="E-mail">
              {cut(row.email ?? '')}
            </td>
            <td data-name="Time zone">{row.timezone}</td>
            <td class="long small" data-name="Further">
              {furtherOf(row).map((text) => (
                <div>{text}</div>
              ))}
              {row.warnings?.map(({ text }) => (
                <div class="fault">{text}</div>
              ))}
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

/** The fields without a column of their own. */
const FURTHER = CONTACT_FIELD_NAMES.filter((name) => !['name', 'email', 'timezone'].includes(name));

function furtherOf(row: Look['firstRows'][number]): string[] {
  const { customProperties } = row;
  const fields = FURTHER.map((name) => [FIELD_LABELS[name], row[name]] as const);
  const properties = Object.entries(customProperties);
  const more = properties.length - SHOWN.properties;
  return [
    ...fields.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${cut(value)}`])),
    ...properties
      .slice(0, SHOWN.properties)
      .map(
        ([name, value]) => `${cut(name)}: ${cut(typeof value === 'string' ? value : JSON.stringify(value))}`,
      ),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

const wordOf = (field: string): string => TARGET_WORDS[field as keyof typeof TARGET_WORDS];

const cut = (text: string): string => (text.length <= SHOWN.text ? text : `${text.slice(0, SHOWN.text)}…`);
