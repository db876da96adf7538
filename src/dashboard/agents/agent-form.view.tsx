import { agentSettingsOf } from '../../carriers/agent-carrier.service.js';
import { type AgentSettingField } from '../../carriers/agent-setting-field.js';
import { PURPOSES } from '../../domain/compliance/pack.js';
import { PURPOSE_WORDS } from '../consents/consent-words.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { FieldGroup, type Option, SelectRow, AreaRow, TextRow } from '../design/form-field.view.js';
import { numberText } from '../design/phone-number.view.js';
import { ZONES_LIST, ZonesList } from '../design/zones-list.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { ClosedDatesEditor, EDIT, HoursEditor, shownAt } from '../hours/hours-editor.view.js';
import {
  AGENT_LABELS,
  type AgentField,
  beforeField,
  OTHER_SETTINGS,
  settingField,
  SETTINGS_OF_FIELD,
  type TypedAgent,
} from './agent-form.js';
import { type Preview, Rendered } from './preview.view.js';
import { OTHER_PLACEHOLDERS, type OfferedPlaceholder, PLACEHOLDERS } from './placeholders.js';

/** What the team has that an agent can name. A list is null where it is too long to choose from. */
export interface AgentChoices {
  /** E.164. */
  numbers: readonly string[] | null;
  pools: readonly { id: string; name: string }[] | null;
  accounts: readonly { id: string; name: string; carrier: string }[];
  /** The carriers that the agent may name. */
  carriers: readonly string[];
  defaultCarrier: string;
}

interface AgentFormProps {
  frame: Frame;
  /** The agent that is changed; null: a new one. */
  agent: { id: string; name: string } | null;
  typed: TypedAgent;
  /** As of `digestsOf`; null for a new agent. */
  before: Record<AgentField, string> | null;
  errors: FieldErrors;
  choices: AgentChoices;
  /** Of the texts as they are typed. */
  preview: Preview | null;
}

/** The form's field of the contact for the preview. */
export const PREVIEW_FOR = 'previewFor';

/** The form of an agent, with a control for each field that the API takes. */
export function agentFormPage({ frame, agent, typed, before, errors, choices, preview }: AgentFormProps) {
  const title = agent === null ? 'New agent' : `Change ${agent.name}`;
  const list = `${frame.base}/agents`;
  const action = agent === null ? list : `${list}/${agent.id}`;
  const shown = (name: AgentField) => ({ name, label: AGENT_LABELS[name], error: errors[name] ?? null });
  return (
    <Layout frame={frame} section="agents" title={title}>
      <h1>{title}</h1>
      <ErrorSummary title="The agent is not saved." errors={errors} />
      <PostForm frame={frame} action={action}>
        {/* The key Enter sends the form by its first button, which must not be one that adds a row. */}
        <button class="hidden" tabindex={-1} aria-hidden="true">
          Save
        </button>
        {before !== null &&
          Object.entries(before).map(([name, digest]) => (
            <input type="hidden" name={beforeField(name as AgentField)} value={digest} />
          ))}
        <section class="card">
          <h2>What it says</h2>
          <TextRow {...shown('name')} value={typed.name} required />
          <AreaRow
            {...shown('firstMessageTemplate')}
            hint="What it says first."
            value={typed.firstMessageTemplate}
            rows={3}
            prose
          />
          <AreaRow
            {...shown('promptTemplate')}
            hint="What the agent is told: its task, its manner, what it must not do."
            value={typed.promptTemplate}
            rows={14}
            prose
          />
          <details>
            <summary>Placeholders for both texts…</summary>
            <Placeholders list={PLACEHOLDERS} />
            <Placeholders list={OTHER_PLACEHOLDERS} />
          </details>
          <details open={preview !== null}>
            <summary>Preview for a contact…</summary>
            <TextRow
              name={PREVIEW_FOR}
              label="Contact"
              hint="A number or the id of a contact of the team. Nothing is saved."
              value={preview?.typed ?? ''}
              error={preview?.problem ?? null}
            />
            <button
              class="quiet"
              name={EDIT}
              value="preview:show"
              formaction={shownAt(action, PREVIEW_FOR)}
              formnovalidate
            >
              Show what the person hears
            </button>
            <Rendered preview={preview} />
          </details>
        </section>
        <section class="card">
          <h2>From which number</h2>
          <NumberRows typed={typed} choices={choices} shown={shown} />
        </section>
        <section class="card">
          <h2>When it may call</h2>
          <HoursEditor name="callingHours" typed={typed.callingHours} errors={errors} action={action} />
          <ClosedDatesEditor name="closedDates" typed={typed.closedDates} errors={errors} action={action} />
          <TextRow
            {...shown('timezone')}
            hint="For people whose own zone is not known, such as America/New_York."
            value={typed.timezone}
            list={ZONES_LIST}
            required
          />
          <ZonesList />
        </section>
        <section class="card">
          <h2>By which carrier, and what for</h2>
          <CarrierRows typed={typed} choices={choices} errors={errors} shown={shown} action={action} />
          <SelectRow
            {...shown('purpose')}
            hint="Which rules of law hold for its calls."
            chosen={typed.purpose}
            options={withChosen(typed.purpose, [
              ['', 'As the compliance settings of the team say'],
              ...PURPOSES.map((one) => [one, PURPOSE_WORDS[one]] as const),
            ])}
          />
        </section>
        <p class="save choices">
          <button class="main">{agent === null ? 'Create the agent' : 'Save'}</button>
          <a class="button" href={action}>
            Cancel
          </a>
        </p>
      </PostForm>
    </Layout>
  );
}

function Placeholders({ list }: { list: readonly OfferedPlaceholder[] }) {
  return (
    <dl class="facts">
      {list.map(({ text, meaning }) => (
        <>
          <dt>
            <code>{text}</code>
          </dt>
          <dd>{meaning}</dd>
        </>
      ))}
    </dl>
  );
}

interface RowsProps {
  typed: TypedAgent;
  choices: AgentChoices;
  shown: (name: AgentField) => { name: AgentField; label: string; error: string | null };
}

function NumberRows({ typed, choices: { numbers, pools }, shown }: RowsProps) {
  const number = {
    ...shown('outboundPhoneNumber'),
    hint: 'A number of the team, for requests that name none.',
  };
  const pool = {
    ...shown('numberPoolId'),
    hint: 'If the agent has a pool, a number of the pool is picked for each call instead.',
  };
  return (
    <>
      {numbers === null ? (
        <TextRow {...number} value={typed.outboundPhoneNumber} />
      ) : (
        <SelectRow
          {...number}
          chosen={typed.outboundPhoneNumber}
          options={withChosen(typed.outboundPhoneNumber, [
            ['', 'None'],
            ...numbers.map((one) => [one, numberText(one)] as const),
          ])}
        />
      )}
      {pools === null ? (
        <TextRow {...pool} hint={`${pool.hint} Its id.`} value={typed.numberPoolId} />
      ) : (
        <SelectRow
          {...pool}
          chosen={typed.numberPoolId}
          options={withChosen(typed.numberPoolId, [
            ['', 'None'],
            ...pools.map(({ id, name }) => [id, name] as const),
          ])}
        />
      )}
    </>
  );
}

function CarrierRows({
  typed,
  choices,
  errors,
  shown,
  action,
}: RowsProps & { errors: FieldErrors; action: string }) {
  const { carriers, accounts, defaultCarrier } = choices;
  const fields = agentSettingsOf(typed.settingsOf);
  const plain = (fields ?? []).filter(({ group }) => group === undefined);
  const groups = new Set((fields ?? []).flatMap(({ group }) => group ?? []));
  const rows = (some: readonly AgentSettingField[]) =>
    some.map((field) => <SettingRow field={field} typed={typed} errors={errors} />);
  return (
    <>
      <SelectRow
        {...shown('carrier')}
        chosen={typed.carrier}
        options={withChosen(typed.carrier, [
          ['', `The default of the deployment (${defaultCarrier})`],
          ...carriers.map((one) => [one, one] as const),
        ])}
      />
      <p>
        <button
          class="quiet"
          name={EDIT}
          value="carrier:show"
          formaction={shownAt(action, 'carrier')}
          formnovalidate
        >
          Show the settings of this carrier
        </button>
      </p>
      <SelectRow
        {...shown('carrierAccountId')}
        hint="An account of the team at the carrier."
        chosen={typed.carrierAccountId}
        options={withChosen(typed.carrierAccountId, [
          ['', 'The account of the deployment'],
          ...accounts.map(({ id, name, carrier }) => [id, `${name} (${carrier})`] as const),
        ])}
      />
      <FieldGroup
        name="carrierSettings"
        label={`Settings for ${typed.settingsOf}`}
        error={errors.carrierSettings ?? null}
      >
        <input type="hidden" name={SETTINGS_OF_FIELD} value={typed.settingsOf} />
        <div class="inner-rows">
          {fields?.length === 0 && typed.otherSettings === '' && <p class="soft">It has no settings.</p>}
          {rows(plain)}
          {[...groups].map((group) => (
            <details open={(fields ?? []).some((one) => one.group === group && typed.settings[one.name])}>
              <summary>{group}…</summary>
              {rows((fields ?? []).filter((one) => one.group === group))}
            </details>
          ))}
          {(fields === null || typed.otherSettings !== '') && (
            <label>
              {fields === null ? 'Settings as a JSON object' : 'Other settings, as a JSON object'}
              <textarea name={OTHER_SETTINGS} spellcheck={false}>
                {typed.otherSettings}
              </textarea>
            </label>
          )}
        </div>
      </FieldGroup>
    </>
  );
}

interface SettingRowProps {
  field: AgentSettingField;
  typed: TypedAgent;
  errors: FieldErrors;
}

function SettingRow({ field: { name, label, hint, kind }, typed: { settings }, errors }: SettingRowProps) {
  const value = settings[name] ?? '';
  const field = settingField(name);
  const row = { name: field, label, hint, error: errors[field] ?? null };
  switch (kind.type) {
    case 'text':
      return <TextRow {...row} value={value} />;
    case 'wholeNumber':
      return <TextRow {...row} value={value} numeric />;
    case 'numberIds':
      return <AreaRow {...row} value={value} rows={3} />;
    case 'flag':
      return (
        <SelectRow
          {...row}
          chosen={value}
          options={withChosen(value, [
            ['', 'As the carrier does'],
            ['true', 'Yes'],
            ['false', 'No'],
          ])}
        />
      );
    case 'choice':
      return (
        <SelectRow {...row} chosen={value} options={withChosen(value, [['', 'As usual'], ...kind.options])} />
      );
  }
}

/** The options with the chosen one, which may be gone since it was chosen. */
function withChosen(chosen: string, options: readonly Option[]): readonly Option[] {
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
}
