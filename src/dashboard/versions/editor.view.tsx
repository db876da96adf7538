import { type ComponentChildren } from 'preact';
import { weekdays } from '../../domain/calling-hours.js';
import {
  COMPLETED_REASONS,
  RETRY_OUTCOMES,
  STEP_OUTCOMES,
} from '../../domain/campaigns/definition/definition.js';
import { endLabel } from '../../domain/narrator/enrollment.js';
import { DURATION_HINT } from '../campaigns/typed-values.js';
import { address } from '../design/address.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { AreaRow, Checks, FormRow, type Option, SelectRow, TextRow } from '../design/form-field.view.js';
import { Hidden, PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { type Agents, type Campaign, type Version, type Warnings } from './answers.js';
import { CheckResult } from './check.view.js';
import {
  BY_FORM,
  BY_JSON,
  CAP_LABELS,
  dayLabel,
  ELSEWHERE,
  fieldsOfStep,
  JSON_TEXT,
  MODE,
  retryLabel,
  ROUTE_LABELS,
  STEP_LABELS,
} from './controls.js';
import { type DefinitionForm, type RouteForm, type StepForm } from './definition-form.js';

/** What the editor shows. */
export interface ShownEditor {
  campaign: Campaign;
  /** Null: a draft that is not stored yet. */
  version: Version | null;
  /** The number of the version with which a new draft begins. */
  from: number | null;
  form: DefinitionForm;
  /** The index of the step that is open where the others are folded. */
  open: number;
  /** The definition as JSON. */
  json: string;
  mode: string;
  errors: FieldErrors;
  warnings: Warnings;
  /** Marks the stored definition with which the form was made. */
  made: string;
  /** Whether the form was sent to be checked. */
  wasChecked: boolean;
  agents: Agents;
}

/** The field with the mark of the stored definition. */
export const MADE = 'made';
/** The name of the buttons, and their values that are no edits. */
export const DO = 'do';
const SAVE = 'save';
export const CHECK = 'check';
export const FILL = 'fill';

/** The field with the step that is open. */
export const OPEN = 'open';

/** The page of a form with more steps folds all but one, so that it stays small. */
const MOST_UNFOLDED = 4;

const AGENTS_LIST = 'agents';
/** More options in all would make the page too large; then the id is typed, with suggestions. */
const MOST_OPTIONS = 200;

/** The editor of a draft. Every button works without a script; with one, the form is checked as one types. */
export function editorPage(frame: Frame, shown: ShownEditor) {
  const { campaign, version, from, form, errors, warnings, mode, json, made, wasChecked } = shown;
  const page = `/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}`;
  const action = `${page}/versions/${version?.id ?? 'new'}`;
  const timezone = frame.request.parameter('timezone');
  const title = version === null ? 'New version' : `Version ${version.number}, draft`;
  return (
    <Layout frame={frame} section="campaigns" title={`${title}, ${campaign.name}`} live>
      <h1>{title}</h1>
      <p class="soft small">
        <a href={address(page, { timezone })}>{campaign.name}</a>
        {version === null && from !== null && ` · begins as version ${from}`}
        {version !== null && (
          <>
            {' · '}
            <a href={address(`${action}/forecast`, { timezone })}>Forecast…</a>
            {' · '}
            <a href={address(`${action}/publish`, { timezone })}>Publish…</a>
          </>
        )}
      </p>
      <ErrorSummary title="The draft was not saved." errors={errors} />
      <PostForm frame={frame} action={action} id="version">
        <input type="hidden" name={MADE} value={made} />
        <input type="hidden" name={OPEN} value={String(shown.open)} />
        {/* The first button of a form is what the Enter key presses. */}
        <button class="unseen" name={DO} value={CHECK} tabIndex={-1} aria-hidden="true">
          Check
        </button>
        {shown.agents.length > 0 && !offersAgents(shown) && <AgentsList agents={shown.agents} />}
        {form.steps.map((_, index) =>
          form.steps.length <= MOST_UNFOLDED || index === shown.open ? (
            <Step shown={shown} action={action} index={index} />
          ) : (
            <FoldedStep shown={shown} action={action} index={index} />
          ),
        )}
        <p class="save" id="step-add">
          <Edit action={action} button="steps.add">
            Add a step
          </Edit>
        </p>
        <Limits shown={shown} action={action} />
        <Hours shown={shown} />
        <section class="card">
          <h2>Variables and note</h2>
          <AreaRow
            {...control(shown, 'variables', 'Variables')}
            value={form.variables}
            rows={3}
            hint="Of every call, one a line, such as offer: spring. A value that is JSON, such as 5, is sent as such."
          />
          <AreaRow
            {...control(shown, 'note', 'Note')}
            value={form.note}
            rows={2}
            hint="Your own text, or a JSON object. It has no effect."
          />
        </section>
        <section class="card">
          <details open={mode === BY_JSON}>
            <summary>The definition as JSON</summary>
            <div class="code">
              <Checks
                type="radio"
                name={MODE}
                checks={[
                  { value: BY_FORM, label: 'The form above is sent', meaning: 'and the JSON follows it.' },
                  { value: BY_JSON, label: 'The JSON is sent', meaning: 'and the form above is ignored.' },
                ]}
                chosen={[mode]}
              />
              <AreaRow {...control(shown, JSON_TEXT, 'JSON')} value={json} rows={16} />
              <button name={DO} value={FILL}>
                Fill the form from the JSON
              </button>
            </div>
          </details>
        </section>
        <div
          id={`field-${ELSEWHERE}`}
          hx-post={`${page}/versions/${version?.id ?? 'new'}/check`}
          hx-trigger="input delay:500ms from:#version, change from:#version"
          hx-target="#check"
          hx-swap="outerHTML"
        >
          <CheckResult errors={errors} warnings={warnings} wasChecked={wasChecked} />
        </div>
        <p class="save choices">
          <button class="main" name={DO} value={SAVE}>
            Save the draft
          </button>
          <button name={DO} value={CHECK} formaction={`${action}#check`}>
            Check it
          </button>
        </p>
      </PostForm>
    </Layout>
  );
}

interface PartProps {
  shown: ShownEditor;
  action: string;
}

/** What the rows of the form have in common. */
function control({ errors }: ShownEditor, name: string, label: string) {
  return { name, label, error: errors[name], checked: true };
}

interface EditProps {
  action: string;
  /** As of `edited`. */
  button: string;
  children: ComponentChildren;
}

/** A button that changes the form and stores nothing. */
function Edit({ action, button, children }: EditProps) {
  return (
    <button name={DO} value={button} formaction={`${action}#${anchor(button)}`}>
      {children}
    </button>
  );
}

/** The part of the page to which an edit leads. */
function anchor(button: string): string {
  const [list = '', position = ''] = button.split('.');
  return list === 'caps' ? 'limits' : `step-${position}`;
}

function Step({ shown, action, index }: PartProps & { index: number }) {
  const { form } = shown;
  const step = form.steps[index] as StepForm;
  const name = `steps.${index}`;
  const ordinal = `step ${index + 1}`;
  return (
    <section class="card" id={`step-${index}`}>
      <div class="head-row">
        <h2>
          Step {index + 1}
          {step.key !== '' && <span class="soft"> {step.key}</span>}
        </h2>
        <Moves action={action} name={name} index={index} of={form.steps.length} what={ordinal} />
      </div>
      <div class="rows">
        <TextRow
          {...control(shown, `${name}.key`, STEP_LABELS.key)}
          value={step.key}
          hint="a-z, 0-9, _ and -"
        />
        <Agent shown={shown} name={`${name}.agentId`} chosen={step.agentId} />
        <TextRow
          {...control(shown, `${name}.after`, STEP_LABELS.after)}
          value={step.after}
          hint={index === 0 ? 'From enrollment. Empty: none.' : 'From the end of the call before.'}
          placeholder="3d"
        />
        <TextRow
          {...control(shown, `${name}.maxAttempts`, STEP_LABELS.maxAttempts)}
          value={step.maxAttempts}
          hint="Empty: one, and one for each delay below."
          numeric
        />
      </div>
      <fieldset class="part">
        <legend>
          Retries <span class="soft small">the delays before each, such as 16h, 1d; empty: none</span>
        </legend>
        <div class="rows">
          {RETRY_OUTCOMES.map((outcome) => (
            <TextRow
              {...control(shown, `${name}.retry.${outcome}`, retryLabel(outcome))}
              value={step.retry[outcome]}
            />
          ))}
        </div>
      </fieldset>
      <fieldset class="part">
        <legend>
          What follows <span class="soft small">the first that matches applies</span>
        </legend>
        {step.on.length === 0 && (
          <p class="soft small">
            A completed call ends the enrollment as reached. If no retry is left, the next step follows.
          </p>
        )}
        {step.on.map((route, at) => (
          <Route
            shown={shown}
            action={action}
            name={`${name}.on.${at}`}
            route={route}
            position={{ at, of: step.on.length, what: `route ${at + 1} of ${ordinal}` }}
          />
        ))}
        <Edit action={action} button={`${name}.on.add`}>
          Add a route<Hidden> to {ordinal}</Hidden>
        </Edit>
      </fieldset>
    </section>
  );
}

/** A step whose fields are sent as they are. */
function FoldedStep({ shown, action, index }: PartProps & { index: number }) {
  const step = shown.form.steps[index] as StepForm;
  const name = `steps.${index}`;
  const faults = Object.entries(shown.errors).filter(([control]) => control.startsWith(`${name}.`));
  return (
    <section class="card" id={`step-${index}`}>
      <div class="head-row">
        <h2>
          Step {index + 1} <span class="soft">{step.key}</span>
        </h2>
        <Edit action={action} button={`${name}.open`}>
          Edit<Hidden> step {index + 1}</Hidden>
        </Edit>
      </div>
      {faults.map(([control, text]) => (
        <p class="problem" id={`field-${control.replaceAll('.', '-')}`}>
          {text}
        </p>
      ))}
      {fieldsOfStep(step, name).map(([field, value]) => (
        <input type="hidden" name={field} value={value} />
      ))}
    </section>
  );
}

const WHENS: readonly Option[] = [
  ...STEP_OUTCOMES.map(
    (outcome) =>
      [`outcome:${outcome}`, outcome === 'completed' ? 'a call was completed' : 'no retry is left'] as const,
  ),
  ['disposition', 'the result has the disposition'],
];

const THENS: readonly Option[] = [
  ...COMPLETED_REASONS.map((reason) => [`end:${reason}`, `it ends: ${endLabel(reason)}`] as const),
  ['goal', 'it ends: goal reached'],
  ['next', 'it goes to the step'],
  ['callback', 'call back when the result says'],
];

interface RouteProps extends PartProps {
  name: string;
  route: RouteForm;
  position: { at: number; of: number; what: string };
}

function Route({ shown, action, name, route, position }: RouteProps) {
  return (
    <div class="rows" data-route={name}>
      <SelectRow
        {...control(shown, `${name}.when`, ROUTE_LABELS.when)}
        chosen={route.when}
        options={withChosen(WHENS, route.when)}
      />
      <TextRow
        {...control(shown, `${name}.disposition`, ROUTE_LABELS.disposition)}
        value={route.disposition}
        placeholder="Only with a disposition"
      />
      <SelectRow
        {...control(shown, `${name}.then`, ROUTE_LABELS.then)}
        chosen={route.then}
        options={withChosen(THENS, route.then)}
      />
      <TextRow
        {...control(shown, `${name}.next`, ROUTE_LABELS.next)}
        value={route.next}
        placeholder="Only with a step"
      />
      <div class="row">
        <Moves action={action} name={name} index={position.at} of={position.of} what={position.what} />
      </div>
    </div>
  );
}

/** The options with the chosen value, which a definition may have without being valid. */
const withChosen = (options: readonly Option[], chosen: string): readonly Option[] =>
  options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];

interface MovesProps {
  action: string;
  name: string;
  index: number;
  of: number;
  /** Such as `step 2`. */
  what: string;
}

function Moves({ action, name, index, of, what }: MovesProps) {
  return (
    <div class="choices">
      {index > 0 && (
        <Edit action={action} button={`${name}.up`}>
          Up<Hidden>: {what}</Hidden>
        </Edit>
      )}
      {index < of - 1 && (
        <Edit action={action} button={`${name}.down`}>
          Down<Hidden>: {what}</Hidden>
        </Edit>
      )}
      <Edit action={action} button={`${name}.remove`}>
        Remove<Hidden>: {what}</Hidden>
      </Edit>
    </div>
  );
}

function offersAgents({ agents, form }: ShownEditor): boolean {
  return agents.length * form.steps.length <= MOST_OPTIONS;
}

function Agent({ shown, name, chosen }: { shown: ShownEditor; name: string; chosen: string }) {
  const row = control(shown, name, STEP_LABELS.agentId);
  if (!offersAgents(shown)) return <TextRow {...row} value={chosen} list={AGENTS_LIST} hint="Its id" />;
  const options = shown.agents.map(({ id, name: agent }) => [id, agent] as const);
  const none: Option[] = chosen === '' ? [['', 'Choose…']] : [];
  return <SelectRow {...row} chosen={chosen} options={withChosen([...none, ...options], chosen)} />;
}

function AgentsList({ agents }: { agents: Agents }) {
  return (
    <datalist id={AGENTS_LIST}>
      {agents.map(({ id, name }) => (
        <option value={id} label={name} />
      ))}
    </datalist>
  );
}

function Limits({ shown, action }: PartProps) {
  const { caps } = shown.form;
  return (
    <section class="card" id="limits">
      <h2>Limits</h2>
      <div class="rows">
        <TextRow
          {...control(shown, 'caps.maxAttempts', CAP_LABELS.maxAttempts)}
          value={caps.maxAttempts}
          hint="Over all steps. Empty: no limit."
          numeric
        />
        <TextRow
          {...control(shown, 'caps.afterConversation', CAP_LABELS.afterConversation)}
          value={caps.afterConversation}
          hint="Without calls of the team to the number. Empty: none."
          placeholder="7d"
        />
        <TextRow
          {...control(shown, 'caps.lifetime', CAP_LABELS.lifetime)}
          value={caps.lifetime}
          hint="Then it ends, also between attempts. Empty: no end."
          placeholder="14d"
        />
      </div>
      <p class="soft small">{DURATION_HINT}</p>
      <fieldset class="part">
        <legend>Calls of the team to one number, at most</legend>
        {caps.perNumber.map(({ count, per }, index) => (
          <div class="rows">
            <TextRow {...control(shown, `caps.perNumber.${index}.count`, 'Calls')} value={count} numeric />
            <TextRow {...control(shown, `caps.perNumber.${index}.per`, 'In any period of')} value={per} />
            <div class="row">
              <Edit action={action} button={`caps.perNumber.${index}.remove`}>
                Remove<Hidden>: limit {index + 1}</Hidden>
              </Edit>
            </div>
          </div>
        ))}
        <Edit action={action} button="caps.perNumber.add">
          Add a limit
        </Edit>
      </fieldset>
    </section>
  );
}

function Hours({ shown }: { shown: ShownEditor }) {
  const { hours, closedDates } = shown.form;
  return (
    <section class="card" id="hours">
      <h2>Calling hours of the campaign</h2>
      <p class="soft small">
        They only narrow the agent’s. Windows such as 09:00-12:00, 13:00-17:00. Without any, the agent’s hours
        hold alone; with some, a day without is closed.
      </p>
      <div class="rows">
        {weekdays.map((day) => (
          <TextRow {...control(shown, `hours.${day}`, dayLabel(day))} value={hours[day]} />
        ))}
      </div>
      <FormRow
        {...control(shown, 'closedDates', 'Closed dates')}
        hint="Such as 2027-12-25, separated by blanks or lines."
      >
        {(attributes) => (
          <textarea {...attributes} name="closedDates" rows={2} spellcheck={false}>
            {closedDates}
          </textarea>
        )}
      </FormRow>
    </section>
  );
}
