import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { PURPOSE_WORDS } from '../consents/consent-words.js';
import { PURPOSES } from '../../domain/compliance/pack.js';
import { address } from '../design/address.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { Checks, FieldGroup, FormRow, SelectRow, TextRow } from '../design/form-field.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { DURATION_HINT } from './typed-values.js';
import { AGAIN, ONCE, SETTING_LABELS, type TypedCampaign } from './settings-form.js';

/** What the page shows of a campaign's own settings. */
export interface ShownSettings {
  /** Null: a new campaign. */
  campaign: { id: string; name: string } | null;
  typed: TypedCampaign;
  /** The fields when the form was made. */
  before: TypedCampaign;
  errors: FieldErrors;
}

/** The field with the values that the form was made with. */
export const BEFORE = 'before';

type Status = Awaited<ReturnType<CampaignsService['get']>>['status'];

/** The statuses in which a campaign may begin. */
const STATUSES: readonly (readonly [Status, string])[] = [
  ['draft', 'Draft: the contacts that are enrolled wait until it is active'],
  ['active', 'Active: calls the contacts that are enrolled'],
  ['paused', 'Paused'],
];

/** The form of a new campaign, or of the settings of one. */
export function campaignSettingsPage(frame: Frame, { campaign, typed, before, errors }: ShownSettings) {
  const list = `/t/${frame.team?.id ?? ''}/campaigns`;
  const page = campaign === null ? list : `${list}/${campaign.id}`;
  const timezone = frame.request.parameter('timezone');
  const isNew = campaign === null;
  const row = (name: keyof TypedCampaign) => ({
    name,
    label: SETTING_LABELS[name],
    error: errors[name],
    value: typed[name],
  });
  return (
    <Layout frame={frame} section="campaigns" title={isNew ? 'New campaign' : `Settings, ${campaign.name}`}>
      <h1>{isNew ? 'New campaign' : 'Settings of the campaign'}</h1>
      <p class="soft small">
        <a href={address(page, { timezone })}>{isNew ? 'Campaigns' : campaign.name}</a>
        {isNew && ' · its steps follow on the next page'}
      </p>
      <ErrorSummary
        title={isNew ? 'The campaign was not created.' : 'The settings were not saved.'}
        errors={errors}
      />
      <PostForm frame={frame} action={isNew ? `${list}/new` : `${page}/edit`}>
        {!isNew && <input type="hidden" name={BEFORE} value={JSON.stringify(before)} />}
        <section class="card">
          <TextRow {...row('name')} required />
          {isNew && <SelectRow {...row('status')} chosen={typed.status} options={STATUSES} />}
          <SelectRow
            {...row('purpose')}
            hint="Rules of law and Do Not Call entries can hold for a purpose only."
            chosen={typed.purpose}
            options={[
              ['', 'As the agent, else the team'],
              ...PURPOSES.map((purpose) => [purpose, PURPOSE_WORDS[purpose]] as const),
            ]}
          />
        </section>
        <section class="card">
          <h2>Pacing</h2>
          <TextRow {...row('pacing.callsPerMinute')} hint="Empty: no limit." numeric />
          <TextRow {...row('pacing.maxConcurrentCalls')} hint="Empty: no limit but the team’s." numeric />
          <TextRow
            {...row('pacing.weight')}
            hint="1 to 100. While several campaigns have due calls, dials are divided by weight."
            numeric
          />
        </section>
        <section class="card">
          <FieldGroup name="reentry" label={SETTING_LABELS.reentry} error={errors.reentry}>
            <Checks
              type="radio"
              name="reentry"
              checks={[
                { value: ONCE, label: 'A contact is enrolled once' },
                { value: AGAIN, label: 'A contact can be enrolled again after its enrollment has ended' },
              ]}
              chosen={[typed.reentry]}
            />
          </FieldGroup>
          <TextRow
            {...row('reentry.maxEntries')}
            hint="With the first. Empty: no limit. Only with enrolling again."
            numeric
          />
          <FormRow
            {...row('reentry.minInterval')}
            hint={`${DURATION_HINT} Empty: none. Only with enrolling again.`}
          >
            {(attributes) => (
              <input
                {...attributes}
                name="reentry.minInterval"
                value={typed['reentry.minInterval']}
                autocomplete="off"
                spellcheck={false}
              />
            )}
          </FormRow>
        </section>
        <p class="save">
          <button class="main">{isNew ? 'Create the campaign' : 'Save the settings'}</button>
        </p>
      </PostForm>
    </Layout>
  );
}
