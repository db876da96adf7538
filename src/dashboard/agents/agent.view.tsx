import { agentSettingsOf } from '../../carriers/agent-carrier.service.js';
import { typedAgentSettings } from '../../carriers/agent-setting-field.js';
import { type CarrierCheck } from '../../carriers/carrier.js';
import { type WrittenVoiceAgent } from '../../voice-agents/voice-agent.dto.js';
import { PURPOSE_WORDS } from '../consents/consent-words.js';
import { CheckList } from '../design/check-list.view.js';
import { TextRow } from '../design/form-field.view.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { Hidden, PostForm, Question } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { closedInWords, hoursInWords } from '../hours/hours-words.js';
import { WeekChart } from '../hours/week.view.js';
import { type Preview, Rendered, Texts, Warnings } from './preview.view.js';

/** What a form or a check adds to the page. */
export interface AboutAgent {
  check?: Pick<CarrierCheck, 'ok' | 'items'>;
  /** A test call that was refused. */
  testCall?: { phoneNumber: string; error: string };
  /** The campaigns that keep the agent from being deleted. */
  usedBy?: readonly { id: string; name: string }[];
}

interface AgentPageProps {
  frame: Frame;
  agent: WrittenVoiceAgent;
  pool: { id: string; name: string } | null;
  account: { name: string } | null;
  defaultCarrier: string;
  preview: Preview | null;
  about: AboutAgent;
}

/** One agent: what it is, in words, and what can be tried with it. */
export function agentPage(props: AgentPageProps) {
  const { frame, agent, about } = props;
  return (
    <Layout frame={frame} section="agents" title={agent.name}>
      <div class="head-row">
        <h1>{agent.name}</h1>
        {may(frame, 'agents.change') && (
          <a class="button" href={`${frame.base}/agents/${agent.id}/edit`}>
            Change<Hidden> {agent.name}</Hidden>
          </a>
        )}
      </div>
      {about.usedBy !== undefined && <InUse frame={frame} campaigns={about.usedBy} />}
      {about.check !== undefined && (
        <section class="card" id="check">
          <h2>Check of the carrier</h2>
          <CheckList {...about.check} />
        </section>
      )}
      <Facts {...props} />
      <section class="card" id="hours">
        <h2>When it calls</h2>
        <Hours {...props} />
      </section>
      <Templates {...props} />
      <PreviewSection {...props} />
      <TestCall {...props} />
      {may(frame, 'agents.change') && (
        <section class="card" id="delete">
          <h2>Delete</h2>
          <Question
            frame={frame}
            action={`${frame.base}/agents/${agent.id}/delete`}
            what={<>Delete {agent.name}</>}
            answer="Yes, delete the agent"
          >
            No new call can name it. Calls that were accepted before are still placed, and its earlier calls
            stay.
          </Question>
        </section>
      )}
    </Layout>
  );
}

function InUse({ frame, campaigns }: { frame: Frame; campaigns: NonNullable<AboutAgent['usedBy']> }) {
  return (
    <div class="notice bad" role="alert" id="problem">
      The agent is not deleted, because campaigns use it. Archive them, or name another agent in them:
      <ul>
        {campaigns.map(({ id, name }) => (
          <li>
            <a href={`${frame.base}/campaigns/${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Facts({ frame, agent, pool, account, defaultCarrier }: AgentPageProps) {
  const { id, carrier, carrierSettings, outboundPhoneNumber, purpose } = agent;
  const fields = agentSettingsOf(carrier ?? defaultCarrier) ?? [];
  const { typed, others } = typedAgentSettings(fields, carrierSettings);
  return (
    <section class="card" id="facts">
      <dl class="facts">
        <dt>Calls from</dt>
        <dd>
          {pool !== null ? (
            <>
              a number of the pool <a href={`${frame.base}/numbers#pool-${pool.id}`}>{pool.name}</a>
            </>
          ) : outboundPhoneNumber === null ? (
            'no number of its own: a request must name one'
          ) : (
            <PhoneNumber number={outboundPhoneNumber} />
          )}
        </dd>
        <dt>Carrier</dt>
        <dd>
          {carrier ?? `${defaultCarrier}, the default of the deployment`}
          {account !== null && `, with the team’s account ${account.name}`}
        </dd>
        {fields
          .filter(({ name }) => typed[name] !== undefined)
          .map(({ name, label }) => (
            <>
              <dt>{label}</dt>
              <dd>{typed[name]}</dd>
            </>
          ))}
        {Object.keys(others).length > 0 && (
          <>
            <dt>Other settings</dt>
            <dd>
              <code>{JSON.stringify(others)}</code>
            </dd>
          </>
        )}
        <dt>Purpose</dt>
        <dd>{purpose === null ? 'as the team’s compliance settings say' : PURPOSE_WORDS[purpose]}</dd>
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Calls</dt>
        <dd>
          <a href={`${frame.base}/calls?agentId=${id}`}>Its calls</a>
        </dd>
      </dl>
      {may(frame, 'agents.change') && (
        <PostForm frame={frame} action={`${frame.base}/agents/${id}/check`}>
          <button>
            Check<Hidden> the carrier, its settings and the numbers, without a call</Hidden>
          </button>
        </PostForm>
      )}
    </section>
  );
}

function Hours({ frame, agent }: AgentPageProps) {
  const { callingHours, closedDates, timezone } = agent;
  const closed = closedInWords(closedDates, timezone, frame.now);
  return (
    <>
      <p>
        <b>{hoursInWords(callingHours)}.</b>
        {closed !== null && ` ${closed}.`}
      </p>
      <p class="soft small">
        By the clock of the called person; where it is not known, by that of {timezone}.
      </p>
      <WeekChart hours={callingHours} />
    </>
  );
}

function Templates({ agent }: AgentPageProps) {
  const { firstMessageTemplate, promptTemplate, warnings = [] } = agent;
  return (
    <section class="card" id="texts">
      <h2>What it says</h2>
      <Warnings warnings={warnings} />
      <Texts firstMessage={firstMessageTemplate} prompt={promptTemplate} />
    </section>
  );
}

function PreviewSection({ frame, agent, preview }: AgentPageProps) {
  return (
    <section class="card" id="preview">
      <h2>Preview for a contact</h2>
      <form method="get" action={`${frame.base}/agents/${agent.id}#preview`}>
        <TextRow
          name="contact"
          label="Contact"
          hint="A number or the id of a contact of the team."
          value={preview?.typed ?? ''}
          error={preview?.problem ?? null}
          required
        />
        <button>Show what the person hears</button>
      </form>
      <Rendered preview={preview} />
    </section>
  );
}

function TestCall({ frame, agent, about: { testCall } }: AgentPageProps) {
  if (!may(frame, 'calls.change')) return null;
  return (
    <section class="card" id="test-call">
      <h2>Test call</h2>
      <p class="soft">
        The agent calls the number, by the rules that hold for every call: hours, caps, Do Not Call.
      </p>
      <PostForm frame={frame} action={`${frame.base}/agents/${agent.id}/test-call`}>
        <TextRow
          name="phoneNumber"
          label="Number to call"
          value={testCall?.phoneNumber ?? ''}
          error={testCall?.error ?? null}
          required
        />
        <button>Call it now</button>
      </PostForm>
    </section>
  );
}
