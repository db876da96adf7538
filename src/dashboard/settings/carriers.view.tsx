import { type CarrierReport } from '../../carriers/carrier-check.service.js';
import { mayDo } from '../../domain/permissions.js';
import { Badge, Hidden, PostForm } from '../frame/controls.js';
import { type Frame } from '../frame/page-frame.service.js';
import { CheckList } from '../design/check-list.view.js';
import { type CarrierAccounts, CarrierAccountsSection } from './carrier-accounts.view.js';
import { SettingsPage } from './settings-page.view.js';

/** A carrier as a team sees it. */
export interface TeamCarrier {
  name: string;
  configured: boolean;
  isDefault: boolean;
  /** Whether the team's agents may name it. */
  allowed: boolean;
}

interface TeamCarriers {
  carriers: readonly TeamCarrier[];
  /** A carrier that was checked for this page. */
  report: CarrierReport | null;
  accounts: CarrierAccounts;
}

export function teamCarriersPage(frame: Frame, { carriers, report, accounts }: TeamCarriers) {
  return (
    <SettingsPage frame={frame} page="carriers" title="Carriers">
      <p class="soft">
        A carrier places the calls. An agent names its carrier; one that names none has the default. Which
        carriers the team’s agents may name is set by the operator, among the{' '}
        <a href={`${frame.base}/settings/team`}>limits</a>.
      </p>
      {report !== null && (
        <section class="card" id="check">
          <h2>Check of {report.carrier}</h2>
          <CheckList {...report} />
        </section>
      )}
      <section class="card" id="carriers">
        <table class="stack">
          <thead>
            <tr>
              <th>Carrier</th>
              <th>On this deployment</th>
              <th>For the team’s agents</th>
              <th>
                <Hidden>Check</Hidden>
              </th>
            </tr>
          </thead>
          {carriers.map((carrier) => (
            <CarrierRow frame={frame} carrier={carrier} />
          ))}
        </table>
        <p class="soft small">
          A check tries the carrier’s credentials and the team’s numbers without a call. It can take a minute.
        </p>
      </section>
      <CarrierAccountsSection frame={frame} {...accounts} />
    </SettingsPage>
  );
}

function CarrierRow({ frame, carrier }: { frame: Frame; carrier: TeamCarrier }) {
  const { name, configured, isDefault, allowed } = carrier;
  const mayCheck = configured && mayDo(frame.request.role, 'agents.change');
  return (
    <tr data-carrier={name}>
      <td>
        <b>{name}</b> {isDefault && <Badge>default</Badge>}
      </td>
      <td>{configured ? <Badge mood="good">configured</Badge> : <Badge>not configured</Badge>}</td>
      <td data-name="For agents">{availability(carrier)}</td>
      <td>
        {mayCheck && (allowed || isDefault) && (
          <PostForm frame={frame} action={`${frame.base}/settings/carriers/check`}>
            <input type="hidden" name="carrier" value={name} />
            <button>Check {name}</button>
          </PostForm>
        )}
      </td>
    </tr>
  );
}

function availability({ configured, isDefault, allowed }: TeamCarrier): string {
  if (!configured) return 'Cannot be named until the deployment has it';
  if (allowed) return 'May be named';
  return isDefault ? 'By default; may not be named' : 'May not be named';
}
