import { mayDo } from '../../domain/permissions.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { ZonesList } from '../design/zones-list.view.js';
import { PostForm } from '../frame/controls.js';
import { type Frame } from '../frame/page-frame.service.js';
import { SettingFacts, SettingFields, type SettingsForm } from './setting-fields.view.js';
import { SettingsPage } from './settings-page.view.js';

export function teamSettingsPage(frame: Frame, form: SettingsForm) {
  const of = (setBy: 'team' | 'operator') => form.views.filter(({ setting }) => setting.setBy === setBy);
  const { role } = frame.request;
  const action = `${frame.base}/settings/team`;
  const ofOperator = mayDo(role, 'teams');
  return (
    <SettingsPage frame={frame} page="team" title="Team">
      <ErrorSummary title="Nothing was saved." errors={form.errors} />
      {mayDo(role, 'settings.change') ? (
        <PostForm frame={frame} action={action}>
          <section class="card" id="limits">
            <h2>Limits of the operator</h2>
            {ofOperator ? (
              <SettingFields form={form} views={of('operator')} />
            ) : (
              <>
                <p class="soft">
                  The operator of the deployment sets these. Ask the operator to change them.
                </p>
                <SettingFacts views={of('operator')} />
              </>
            )}
          </section>
          <section class="card" id="settings">
            <h2>Settings of the team</h2>
            <ZonesList />
            <SettingFields form={form} views={of('team')} />
          </section>
          <p class="save">
            <button class="main">Save settings</button>
          </p>
        </PostForm>
      ) : (
        <>
          <section class="card" id="limits">
            <h2>Limits of the operator</h2>
            <SettingFacts views={of('operator')} />
          </section>
          <section class="card" id="settings">
            <h2>Settings of the team</h2>
            <p class="soft">An admin of the team can change these.</p>
            <SettingFacts views={of('team')} />
          </section>
        </>
      )}
    </SettingsPage>
  );
}
