import { mayDo } from '../../domain/permissions.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { PostForm } from '../frame/controls.js';
import { type Frame } from '../frame/page-frame.service.js';
import { SettingFacts, SettingFields, type SettingsForm } from './setting-fields.view.js';
import { SettingsPage } from './settings-page.view.js';

/** What is removed when, beside what the settings say. */
const KEPT = [
  [
    'Ended calls',
    'With their history, decisions and prompts: for the days of the call retention, counted from the end of the call. Longer where a rule still reads the call: of an enrollment that has not ended, within the longest cap of a campaign, beside a call with an unknown outcome, and the last call from each number, then without variables and prompts.',
  ],
  ['Calls that have not ended', 'Until they have ended.'],
  ['Events and their deliveries', 'For the days of the event retention.'],
  ['Answers to idempotency keys', '24 hours.'],
  ['Imports and their results', 'A week after their end.'],
  ['Contacts, enrollments, Do Not Call, keys and agents', 'Until they are removed or erased.'],
] as const;

export function retentionPage(frame: Frame, form: SettingsForm) {
  const mayChange = mayDo(frame.request.role, 'settings.change');
  return (
    <SettingsPage frame={frame} page="retention" title="Retention">
      <ErrorSummary title="Nothing was saved." errors={form.errors} />
      <section class="card" id="retention">
        <h2>How long the team’s calls and events are kept</h2>
        {mayChange ? (
          <PostForm frame={frame} action={`${frame.base}/settings/retention`}>
            <SettingFields form={form} />
            <p class="soft small">
              Fewer days delete what is older within ten minutes. What is deleted cannot be restored.
            </p>
            <button class="main">Save retention</button>
          </PostForm>
        ) : (
          <SettingFacts views={form.views} />
        )}
      </section>
      <section class="card" id="kept">
        <h2>What is deleted when</h2>
        <table class="stack">
          <thead>
            <tr>
              <th>What</th>
              <th>Kept</th>
            </tr>
          </thead>
          {KEPT.map(([what, kept]) => (
            <tr>
              <td>
                <b>{what}</b>
              </td>
              <td>{kept}</td>
            </tr>
          ))}
        </table>
      </section>
    </SettingsPage>
  );
}
