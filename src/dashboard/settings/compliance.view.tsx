import { type ComponentChildren } from 'preact';
import { Badge, type Mood } from '../frame/controls.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { ComplianceForm } from './compliance-form.view.js';
import { type TypedCompliance } from './compliance-form.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { hintOf, labelOf, shownValue } from './setting-words.js';
import { type SettingView } from './setting-fields.view.js';
import { SettingsPage } from './settings-page.view.js';

type Named = Record<string, SettingView | undefined>;

/** A rule that holds for every team. */
const ALWAYS = [
  [
    'Do Not Call',
    'A number on the team’s or the platform’s Do Not Call list is never dialed; its waiting calls are blocked.',
  ],
  [
    '12 hours between calls',
    'A number that was called within the last 12 hours is not dialed, whichever agent or campaign asks.',
  ],
  ['One call at a time', 'A number with a call that is scheduled or waits gets no second one.'],
  [
    'Calling hours',
    'Outside the agent’s hours, in the zone of the called person, a call waits for the next opening.',
  ],
  ['Unknown time zones', 'A call whose time zone is not known is not dialed until the zone is corrected.'],
] as const;

/** The form of the rules of law. */
interface Law {
  typed: TypedCompliance;
  errors: FieldErrors;
  packs: readonly string[];
  mayChange: boolean;
}

export function compliancePage(frame: Frame, views: readonly SettingView[], law: Law) {
  const of: Named = Object.fromEntries(views.map((view) => [view.setting.name, view]));
  const numberLimits = views.filter(isNumberLimit);
  return (
    <SettingsPage frame={frame} page="compliance" title="Compliance">
      <p class="soft">
        The rules by which each call is decided, at its acceptance and again before it is dialed. The page of
        a call shows the decision with its evidence.
      </p>
      <ComplianceForm frame={frame} {...law} />
      <section class="card" id="own-rules">
        <h2>As this team sets them</h2>
        <table class="stack">
          <Rule view={of.whitelistOnly} on="warn" link={`${frame.base}/settings/team`}>
            {(value) => (
              <>
                {value === true
                  ? 'Only numbers on the whitelist are called; every other call is refused.'
                  : 'Numbers need not be on the whitelist.'}
                {may(frame, 'teams') && (
                  <>
                    {' '}
                    <a href={`${frame.base}/whitelist`}>The whitelist</a>
                  </>
                )}
              </>
            )}
          </Rule>
          <Rule view={of.allowedCountries} link={`${frame.base}/settings/team`}>
            {(value) =>
              value === null
                ? 'No country is refused.'
                : 'A number of another country is refused, and so is one of no country, such as +800.'
            }
          </Rule>
          <Rule view={of.acceptUnknownRanges} on="warn" link={`${frame.base}/settings/team`}>
            {(value) =>
              value === true
                ? 'A number of an unknown range, such as a new area code, is called with a warning.'
                : 'A number of an unknown range, such as a new area code, is refused.'
            }
          </Rule>
          <Rule view={of.retryWithinRedialWindow} on="warn" link={`${frame.base}/settings/team`}>
            {(value) =>
              value === true
                ? 'A campaign may try a person again within 12 hours after busy, no answer or a failure, and call back on request.'
                : 'The 12 hours between calls hold for retries of campaigns and requested callbacks, too.'
            }
          </Rule>
          <Rule view={of.doNotCallByPurpose} on="warn" link={`${frame.base}/settings/team`}>
            {(value) =>
              value === true
                ? 'A Do Not Call entry with a purpose forbids only calls for that purpose, and those of an unknown one.'
                : 'A Do Not Call entry forbids calls for any purpose.'
            }
          </Rule>
          {numberLimits.map((view) => (
            <Rule view={view} link={`${frame.base}/settings/team`}>
              {(value) =>
                value === null
                  ? 'Such a limit of calls to one number is not set.'
                  : `${hintOf(view.setting)} A further call is refused.`
              }
            </Rule>
          ))}
        </table>
      </section>
      <section class="card" id="platform-rules">
        <h2>Always</h2>
        <table class="stack">
          {ALWAYS.map(([name, sentence]) => (
            <tr>
              <td>
                <b>{name}</b>
              </td>
              <td>
                <Badge mood="good">holds</Badge>
              </td>
              <td>{sentence}</td>
            </tr>
          ))}
        </table>
        <p class="soft small">
          <a href="/docs/guides/errors-and-retries">Errors and retries</a> says how each refusal is answered;{' '}
          <a href="/docs/operations/triggerCall">the call endpoint</a> lists their codes.
        </p>
      </section>
    </SettingsPage>
  );
}

/** Whether a setting limits the calls to one number, such as `numberDailyLimit`. */
const isNumberLimit = ({ setting }: SettingView): boolean => /^number\w+Limit$/.test(setting.name);

interface RuleProps {
  view: SettingView | undefined;
  /** The mood of a flag that is on. */
  on?: Mood;
  link: string;
  children: (value: unknown) => ComponentChildren;
}

function Rule({ view, on = '', link, children }: RuleProps) {
  if (view === undefined) return null;
  const { setting, value, platformDays } = view;
  return (
    <tr data-setting={setting.name}>
      <td>
        <a href={link}>{labelOf(setting)}</a>
      </td>
      <td>
        <Badge mood={value === true ? on : ''}>{shownValue(setting, value, platformDays)}</Badge>
      </td>
      <td>{children(value)}</td>
    </tr>
  );
}
