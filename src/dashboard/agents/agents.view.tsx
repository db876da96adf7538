import { type Page } from '../../http/page.js';
import { type TeamVoiceAgent } from '../../voice-agents/team-voice-agents.service.js';
import { address } from '../design/address.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { hoursInWords } from '../hours/hours-words.js';

interface AgentsPageProps {
  frame: Frame;
  agents: Page<TeamVoiceAgent>;
  /** Names of pools by their ids. */
  pools: ReadonlyMap<string, string>;
  defaultCarrier: string;
}

/** The agents of a team, the newest first. */
export function agentsPage({ frame, agents, pools, defaultCarrier }: AgentsPageProps) {
  return (
    <Layout frame={frame} section="agents" title="Agents">
      <div class="head-row">
        <h1>Agents</h1>
        {may(frame, 'agents.change') && (
          <a class="button main" href={`${frame.base}/agents/new`}>
            New agent
          </a>
        )}
      </div>
      <p class="soft">An agent is what talks in a call: its texts, its hours, its number and its carrier.</p>
      <section class="card" id="agents">
        {agents.items.length === 0 ? (
          <p>The team has no agent yet.</p>
        ) : (
          <table class="stack">
            <thead>
              <tr>
                <th>Agent</th>
                <th>Calls</th>
                <th>From</th>
                <th>Carrier</th>
              </tr>
            </thead>
            {agents.items.map((agent) => (
              <tr data-agent={agent.id}>
                <td class="long">
                  <a href={`${frame.base}/agents/${agent.id}`}>{agent.name}</a>
                </td>
                <td data-name="Calls">{hoursInWords(agent.callingHours)}</td>
                <td data-name="From">
                  <From agent={agent} pools={pools} />
                </td>
                <td data-name="Carrier">{agent.carrier ?? `${defaultCarrier} (default)`}</td>
              </tr>
            ))}
          </table>
        )}
        {agents.nextCursor !== null && (
          <p>
            <a href={address(`${frame.base}/agents`, { cursor: agents.nextCursor })}>More agents</a>
          </p>
        )}
      </section>
    </Layout>
  );
}

function From({ agent, pools }: { agent: TeamVoiceAgent; pools: AgentsPageProps['pools'] }) {
  const { numberPoolId, outboundPhoneNumber } = agent;
  if (numberPoolId !== null) return <>the pool {pools.get(numberPoolId) ?? numberPoolId}</>;
  if (outboundPhoneNumber === null) return <span class="soft">no number</span>;
  return <PhoneNumber number={outboundPhoneNumber} />;
}
