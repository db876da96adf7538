import { type ComponentChildren } from 'preact';
import { type CallResource } from '../../calls/records/calls-admin.service.js';
import { isFinal } from '../../domain/call-states.js';
import { moodOf } from '../../domain/narrator/call.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { mayDo, type Permission } from '../../domain/permissions.js';
import { type TeamsService } from '../../teams/teams.service.js';
import { Answer, History } from '../calls/decision.view.js';
import { numberText } from '../design/phone-number.view.js';
import { Badge, NumberLink, PostForm } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';
import { FormProblem, LongTextField, RadioField, SelectField, type Sent, TextField } from './fields.view.js';
import { COUNTRIES, countryName, type ExampleNumbers, zoneNames } from './places.js';
import { type Progress } from './progress.sql.js';
import { agentTemplate } from './template.js';

export type StepName = 'place' | 'number' | 'agent' | 'call' | 'key';

/** A step's form that was refused. */
export interface Attempt extends Sent {
  step: StepName;
}

/** A key that was just made. It is shown once. */
export interface MadeKey {
  key: string;
  /** The address of the agent's call endpoint. */
  url: string;
  /** The number that the request calls. */
  phoneNumber: string;
}

export interface GettingStarted {
  team: Awaited<ReturnType<TeamsService['get']>>;
  progress: Progress;
  /** The call whose life is shown. */
  call: CallResource | null;
  /** Whether the default carrier is the simulator, so that no phone rings. */
  simulated: boolean;
  examples: ExampleNumbers;
  attempt: Attempt | null;
  made: MadeKey | null;
}

interface StepProps {
  frame: Frame;
  start: GettingStarted;
}

/** The way of a team from nothing to the first request with its key. */
export function gettingStartedPage(frame: Frame, start: GettingStarted) {
  return (
    <Layout frame={frame} section="overview" title="Getting started" live>
      <h1>Getting started</h1>
      <p class="soft">
        Five steps to the first call that {start.team.name} places with its own key. A step that is done
        elsewhere counts, too.
      </p>
      <FormProblem attempt={start.attempt} />
      <PlaceSection frame={frame} start={start} />
      <ol class="steps">
        <NumberStep frame={frame} start={start} />
        <AgentStep frame={frame} start={start} />
        <CallStep frame={frame} start={start} />
        <KeyStep frame={frame} start={start} />
        <RequestStep frame={frame} start={start} />
      </ol>
    </Layout>
  );
}

const attemptAt = ({ attempt }: GettingStarted, step: StepName) => (attempt?.step === step ? attempt : null);
const actionOf = ({ base }: Frame, step: StepName) => `${base}/getting-started/${step}`;

/** Whom the team calls, and where: from the answer follow the notation of numbers, the zone, and who may be called. */
function PlaceSection({ frame, start }: StepProps) {
  const { team } = start;
  const attempt = attemptAt(start, 'place');
  const { defaultCountry, allowedCountries } = team;
  const known = defaultCountry !== null;
  // The lists of countries and zones are long, and a page that renews itself is read every second.
  const changes = attempt !== null || frame.request.parameter('change') === 'place';
  const form = (
    <Allowed frame={frame} need="settings.change" ask={`an admin of ${team.name} to answer this`}>
      <PostForm frame={frame} action={actionOf(frame, 'place')}>
        <div class="fields">
          <SelectField
            attempt={attempt}
            form="place"
            name="defaultCountry"
            label="Country of the people you call"
            value={defaultCountry}
            options={COUNTRIES}
          />
          <SelectField
            attempt={attempt}
            form="place"
            name="timezone"
            label="Their time zone"
            value={known ? team.timezone : null}
            options={zonesWith(team.timezone).map((zone) => [zone, zone])}
          />
        </div>
        <RadioField
          attempt={attempt}
          form="place"
          name="reach"
          label="Which numbers may be called?"
          value={known && allowedCountries === null ? 'any' : 'country'}
          options={[
            ['country', 'Only numbers of this country; others are refused'],
            ['any', 'Numbers of every country'],
          ]}
        />
        <button class={known ? undefined : 'main'}>Save</button>
      </PostForm>
    </Allowed>
  );
  return (
    <section class="card" id="step-place">
      <h2>{known && <Mark />}Whom do you call, and where?</h2>
      {known ? (
        <>
          <p>
            People in {countryName(defaultCountry)}, {team.timezone}. {reachText(allowedCountries)} Every
            agent keeps its own calling hours.
          </p>
          {changes ? form : <a href={`${frame.base}/getting-started?change=place#step-place`}>Change</a>}
        </>
      ) : (
        <>
          <p class="soft">
            Numbers are then read as people of the country write them, and nobody elsewhere is called by
            mistake.
          </p>
          {form}
        </>
      )}
    </section>
  );
}

/** The zones that a form offers, with the one that is set, which may be another. */
function zonesWith(zone: string): string[] {
  const names = zoneNames();
  return names.includes(zone) ? names : [zone, ...names];
}

function reachText(countries: string[] | null): string {
  if (countries === null) return 'Numbers of every country may be called.';
  return `Only numbers of ${countries.map(countryName).join(', ')} may be called.`;
}

function NumberStep({ frame, start }: StepProps) {
  const { progress, simulated, examples, team } = start;
  const attempt = attemptAt(start, 'number');
  const [first, ...others] = progress.numbers;
  const action = actionOf(frame, 'number');
  const form = (
    <Allowed
      frame={frame}
      need="numbers.change"
      ask={`the operator of this deployment for a number from which ${team.name} may call`}
    >
      {simulated && !progress.numbers.includes(examples.from) && (
        <PostForm frame={frame} action={action}>
          <input type="hidden" name="phoneNumber" value={examples.from} />
          <button class={first === undefined ? 'main' : undefined}>
            Use the simulator’s number {examples.from}
          </button>
          <p class="soft small">The simulator plays calls: no phone rings, and nothing is paid.</p>
        </PostForm>
      )}
      <PostForm frame={frame} action={action}>
        <TextField
          attempt={attempt}
          form="number"
          name="phoneNumber"
          label={simulated ? 'Or a number of your own' : 'A number that your carrier lets you call from'}
          inputmode="tel"
          value=""
          hint={<>Such as {examples.from}</>}
        />
        <button class={simulated ? undefined : 'main'}>Add the number</button>
      </PostForm>
    </Allowed>
  );
  return (
    <Step id="number" done={first !== undefined} title="A number to call from">
      {first === undefined ? (
        form
      ) : (
        <>
          <p>
            Calls are made from <b>{first}</b>
            {others.length > 0 && ` or ${others.length} more`}.
          </p>
          <details open={attempt !== null}>
            <summary>Add another number</summary>
            {form}
          </details>
        </>
      )}
    </Step>
  );
}

function AgentStep({ frame, start }: StepProps) {
  const { progress, team } = start;
  const attempt = attemptAt(start, 'agent');
  const { agent, numbers } = progress;
  const template = agentTemplate(team.name);
  const form = (
    <Allowed frame={frame} need="agents.change" ask={`a manager of ${team.name} to make an agent`}>
      <PostForm frame={frame} action={actionOf(frame, 'agent')}>
        <TextField attempt={attempt} form="agent" name="name" label="Name" value={template.name} />
        <LongTextField
          attempt={attempt}
          form="agent"
          name="firstMessageTemplate"
          label="What it says first"
          value={template.firstMessageTemplate}
        />
        <LongTextField
          attempt={attempt}
          form="agent"
          name="promptTemplate"
          label="What it is told to do"
          value={template.promptTemplate}
          hint="Words in double braces are filled in for each person, such as {{contact.name}}."
        />
        {numbers.length > 1 ? (
          <SelectField
            attempt={attempt}
            form="agent"
            name="outboundPhoneNumber"
            label="Calls from"
            value={numbers[0] ?? ''}
            options={numbers.map((number) => [number, number])}
          />
        ) : (
          <input type="hidden" name="outboundPhoneNumber" value={numbers[0]} />
        )}
        <RadioField
          attempt={attempt}
          form="agent"
          name="hours"
          label="When may it call?"
          value="weekdays"
          options={[
            ['weekdays', `Monday to Friday, 09:00 to 17:00 (${team.timezone})`],
            ['any', 'At any time, while you try it'],
          ]}
        />
        <button class={agent === null ? 'main' : undefined}>Make the agent</button>
      </PostForm>
    </Allowed>
  );
  return (
    <Step id="agent" done={agent !== null} title="An agent that talks">
      {agent !== null ? (
        <>
          <p>
            <b>{agent.name}</b>
            {agent.phoneNumber !== null && ` calls from ${numberText(agent.phoneNumber)}`},{' '}
            {agent.anyTime ? 'at any time' : 'within its calling hours'}.
          </p>
          <details open={attempt !== null}>
            <summary>Make another agent</summary>
            {form}
          </details>
        </>
      ) : numbers.length === 0 ? (
        <Later>The agent calls from the number of step 1.</Later>
      ) : (
        form
      )}
    </Step>
  );
}

function CallStep({ frame, start }: StepProps) {
  const { progress, call, simulated, examples, team } = start;
  const attempt = attemptAt(start, 'call');
  const form = (
    <Allowed frame={frame} need="calls.change" ask={`a manager of ${team.name} to place a call`}>
      <PostForm frame={frame} action={actionOf(frame, 'call')}>
        <TextField
          attempt={attempt}
          form="call"
          name="phoneNumber"
          label="Number to call"
          inputmode="tel"
          value={simulated && call === null ? examples.testCall : ''}
          hint={
            simulated
              ? 'The simulator plays the call: no phone rings.'
              : 'Such as your own. It is really called.'
          }
        />
        <button class={call === null ? 'main' : undefined}>Call it now</button>
      </PostForm>
    </Allowed>
  );
  return (
    <Step id="call" done={progress.firstCallId !== null} title="A test call">
      {call !== null && <LiveCall frame={frame} call={call} />}
      {progress.agent === null ? (
        call === null && <Later>The agent of step 2 places it.</Later>
      ) : call === null ? (
        form
      ) : (
        <details open={attempt !== null}>
          <summary>Place another test call</summary>
          <p class="soft small">A number that was called within 12 hours is not called again.</p>
          {form}
        </details>
      )}
    </Step>
  );
}

/** Where a script runs, the part with this id is renewed until `ended`. */
function renewed(url: string, id: string, { every, ended }: { every: string; ended: boolean }) {
  if (ended) return { id };
  return {
    id,
    'hx-get': url,
    'hx-trigger': `every ${every}`,
    'hx-select': `#${id}`,
    'hx-target': 'this',
    'hx-swap': 'outerHTML',
  };
}

/** The link to the page as it stands names an instant: a browser does not reload for an address that it already shows. */
function LiveCall({ frame, call }: { frame: Frame; call: CallResource }) {
  const self = `${frame.base}/getting-started?call=${call.id}`;
  const ended = isFinal(call.status);
  return (
    <div {...renewed(self, 'test-call', { every: '1s', ended })} role="status" data-call={call.id}>
      <p>
        <NumberLink teamId={call.teamId} phoneNumber={call.phoneNumber} />{' '}
        <Badge mood={moodOf(call.status)}>{stateLabel(call.status)}</Badge>
      </p>
      <Answer frame={frame} call={call} />
      <History frame={frame} call={call} />
      <p class="links">
        {!ended && <a href={`${self}&seen=${frame.now.getTime()}#step-call`}>Show how it stands</a>}{' '}
        <a href={`${frame.base}/calls/${call.id}`}>All that is known of the call</a>
      </p>
    </div>
  );
}

function KeyStep({ frame, start }: StepProps) {
  const { progress, made, simulated, examples, team } = start;
  const attempt = attemptAt(start, 'key');
  const form = (
    <Allowed frame={frame} need="keys" ask={`an admin of ${team.name} for an API key`}>
      <PostForm frame={frame} action={actionOf(frame, 'key')}>
        <TextField attempt={attempt} form="key" name="name" label="Name of the key" value="First key" />
        <TextField
          attempt={attempt}
          form="key"
          name="phoneNumber"
          label="Number that the request calls"
          inputmode="tel"
          value={simulated ? examples.request : ''}
          hint="Not the number of the test call: a number that was called within 12 hours is not called again."
        />
        <button class={progress.key === null ? 'main' : undefined}>Make the key</button>
      </PostForm>
    </Allowed>
  );
  return (
    <Step id="key" done={progress.key !== null} title="An API key, and a request with it">
      {made !== null && <ShownKey made={made} />}
      {progress.key !== null && made === null && (
        <p>
          <b>{progress.key.name}</b>, which begins with <code>{progress.key.prefix}</code>.
        </p>
      )}
      {progress.agent === null ? (
        progress.key === null && <Later>The request names the agent of step 2.</Later>
      ) : progress.key === null ? (
        form
      ) : (
        <details open={attempt !== null}>
          <summary>Make another key</summary>
          {form}
        </details>
      )}
    </Step>
  );
}

function ShownKey({ made: { key, url, phoneNumber } }: { made: MadeKey }) {
  const command = [
    `curl -X POST '${url}' \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ phoneNumber })}'`,
  ].join('\n');
  return (
    <>
      <p>
        <b>Copy the key now.</b> It is shown this once, and is not stored.
      </p>
      <pre>
        <output data-secret>{key}</output>
      </pre>
      <p>In a terminal, this places a call:</p>
      <pre data-curl tabIndex={0}>
        {command}
      </pre>
    </>
  );
}

function RequestStep({ frame, start }: StepProps) {
  const { key, firstRequestAt } = start.progress;
  const self = `${frame.base}/getting-started`;
  const done = firstRequestAt !== null;
  // Without a key, no request can come.
  const live = renewed(self, 'step-request', { every: '2s', ended: done || key === null });
  return (
    <li class={done ? 'card done' : 'card'} {...live}>
      <h2>
        {done && <Mark />}
        {done ? 'Your first request' : 'Waiting for your first request'}
      </h2>
      <div role="status">
        {done ? (
          <p class="good">
            A request with a key arrived <Instant zone={frame.zone} at={firstRequestAt} />.{' '}
            <a href={`${frame.base}/calls`}>See the calls</a>
          </p>
        ) : key === null ? (
          <Later>It needs the key of step 4.</Later>
        ) : (
          <p>
            This turns green when a request with a key of the team arrives; from another server of this
            deployment, within a minute.{' '}
            <a href={`${self}?seen=${frame.now.getTime()}#step-request`}>Show how it stands</a>
          </p>
        )}
      </div>
    </li>
  );
}

interface StepFrameProps {
  id: StepName;
  done: boolean;
  title: string;
  children: ComponentChildren;
}

function Step({ id, done, title, children }: StepFrameProps) {
  return (
    <li class={done ? 'card done' : 'card'} id={`step-${id}`}>
      <h2>
        {done && <Mark />}
        {title}
      </h2>
      {children}
    </li>
  );
}

function Mark() {
  return (
    <span class="mark" role="img" aria-label="Done: ">
      ✓
    </span>
  );
}

function Later({ children }: { children: ComponentChildren }) {
  return <p class="soft">{children}</p>;
}

interface AllowedProps {
  frame: Frame;
  need: Permission;
  /** Whom to ask for what, after "Ask". */
  ask: string;
  children: ComponentChildren;
}

/** The form, for those who may send it; others read whom to ask. */
function Allowed({ frame: { request }, need, ask, children }: AllowedProps) {
  if (mayDo(request.role, need)) return <>{children}</>;
  return <p class="soft">Your role does not allow this. Ask {ask}.</p>;
}
