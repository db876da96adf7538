import { CARRIER_NAMES } from '../../carriers/registry.js';
import { PLATFORM_DAYS } from '../../domain/retention.js';
import { type TeamSetting } from '../../domain/team-settings.js';
import { Checks, CheckRow, FieldGroup, SelectRow, TextRow } from '../design/form-field.view.js';
import {
  beforeField,
  DAYS,
  EVERY,
  modeField,
  SOME,
  typedOf,
  type TypedSetting,
  WITHOUT_END,
} from './setting-value.js';
import { COUNTRIES } from '../design/countries.js';
import { ZONES_LIST } from '../design/zones-list.view.js';
import { hintOf, labelOf, shownValue } from './setting-words.js';

/** A setting on a page. */
export interface SettingView {
  setting: TeamSetting;
  /** As a request has it. */
  value: unknown;
  /** The days of the platform, in words. */
  platformDays: string;
  /** How much of a limit is used. */
  use?: string;
}

/** The settings of a page, and what was typed. */
export interface SettingsForm {
  views: readonly SettingView[];
  /** By the name of the setting. */
  typed: Record<string, TypedSetting>;
  errors: Record<string, string>;
}

interface FieldProps {
  view: SettingView;
  /** What was typed; absent: the stored value. */
  typed?: TypedSetting;
  error?: string;
}

/** The fields of settings. */
export function SettingFields({
  form,
  views = form.views,
}: {
  form: SettingsForm;
  views?: readonly SettingView[];
}) {
  return (
    <>
      {views.map((view) => (
        <SettingField
          view={view}
          typed={form.typed[view.setting.name]}
          error={form.errors[view.setting.name]}
        />
      ))}
    </>
  );
}

/** The field of a setting, as its kind is edited, with the value that it was made with. */
function SettingField({ view, typed, error }: FieldProps) {
  const { setting, value, use } = view;
  return (
    <>
      <input type="hidden" name={beforeField(setting.name)} value={JSON.stringify(value)} />
      <Control view={view} typed={typed ?? typedOf(setting, value)} error={error} />
      {use !== undefined && <Use setting={setting} use={use} />}
    </>
  );
}

function Control({
  view: { setting, platformDays },
  typed,
  error,
}: Required<Pick<FieldProps, 'typed'>> & FieldProps) {
  const { name, kind } = setting;
  const row = { name, label: labelOf(setting), hint: hintOf(setting, true), error };
  switch (kind.type) {
    case 'flag':
      return <CheckRow {...row} checked={typed.text === 'true'} />;
    case 'timeZone':
      return <TextRow {...row} value={typed.text} list={ZONES_LIST} />;
    case 'country':
      return <SelectRow {...row} chosen={typed.text} options={[['', 'None'], ...COUNTRIES]} />;
    case 'limit':
      return <TextRow {...row} value={typed.text} numeric />;
    case 'countries':
      return (
        <FieldGroup {...row}>
          <Modes
            name={name}
            typed={typed}
            modes={[
              { value: EVERY, label: 'Every country' },
              { value: SOME, label: 'Only these countries' },
            ]}
          />
          <div class="inner">
            <input
              name={name}
              value={typed.text}
              placeholder="US, CA, GB"
              autocomplete="off"
              aria-label={`${row.label}: codes, separated by commas`}
            />
          </div>
        </FieldGroup>
      );
    case 'carriers':
      return (
        <FieldGroup {...row}>
          <Modes
            name={name}
            typed={typed}
            modes={[
              { value: EVERY, label: 'Every carrier that is configured' },
              { value: SOME, label: 'Only these carriers' },
            ]}
          />
          <div class="inner">
            <Checks
              name={name}
              checks={CARRIER_NAMES.map((carrier) => ({ value: carrier, label: carrier }))}
              chosen={typed.chosen}
            />
          </div>
        </FieldGroup>
      );
    case 'days':
      return (
        <FieldGroup {...row}>
          <Modes
            name={name}
            typed={typed}
            modes={[
              { value: PLATFORM_DAYS, label: 'As long as the platform', meaning: `(${platformDays})` },
              { value: WITHOUT_END, label: 'Without end' },
              { value: DAYS, label: `So many days, at least ${kind.min}` },
            ]}
          />
          <div class="inner">
            <input
              name={name}
              value={typed.text}
              inputmode="numeric"
              autocomplete="off"
              aria-label={`${row.label}: days`}
            />
          </div>
        </FieldGroup>
      );
    case 'name':
      return <TextRow {...row} value={typed.text} required />;
  }
}

interface ModesProps {
  name: string;
  typed: TypedSetting;
  modes: { value: string; label: string; meaning?: string }[];
}

function Modes({ name, typed: { mode }, modes }: ModesProps) {
  return <Checks type="radio" name={modeField(name)} checks={modes} chosen={[mode]} />;
}

function Use({ setting, use }: { setting: TeamSetting; use: string }) {
  return (
    <p class="usage" data-use={setting.name}>
      {use}
    </p>
  );
}

/** Settings that the person cannot change. */
export function SettingFacts({ views }: { views: readonly SettingView[] }) {
  return (
    <dl class="settings">
      {views.map(({ setting, value, platformDays, use }) => (
        <div data-setting={setting.name}>
          <dt>{labelOf(setting)}</dt>
          <dd>
            <b>{shownValue(setting, value, platformDays)}</b>
            {use !== undefined && <Use setting={setting} use={use} />}
            <p class="soft small">{hintOf(setting)}</p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
