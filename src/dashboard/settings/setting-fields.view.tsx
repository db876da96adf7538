import { type ComponentChildren } from 'preact';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { PLATFORM_DAYS } from '../../domain/retention.js';
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
import { type FieldSetting, hintOf, labelOf, shownValue } from './setting-words.js';

/** A setting on a page. */
export interface SettingView {
  setting: FieldSetting;
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
        <ModeGroup row={row} typed={typed} modes={everyOrSome('Every country', 'Only these countries')}>
          <input
            name={name}
            value={typed.text}
            placeholder="US, CA, GB"
            autocomplete="off"
            aria-label={`${row.label}: codes, separated by commas`}
          />
        </ModeGroup>
      );
    case 'carriers':
      return (
        <ModeGroup
          row={row}
          typed={typed}
          modes={everyOrSome('Every carrier that is configured', 'Only these carriers')}
        >
          <Checks
            name={name}
            checks={CARRIER_NAMES.map((carrier) => ({ value: carrier, label: carrier }))}
            chosen={typed.chosen}
          />
        </ModeGroup>
      );
    case 'days':
      return (
        <ModeGroup
          row={row}
          typed={typed}
          modes={[
            { value: PLATFORM_DAYS, label: 'As long as the platform', meaning: `(${platformDays})` },
            { value: WITHOUT_END, label: 'Without end' },
            { value: DAYS, label: `So many days, at least ${kind.min}` },
          ]}
        >
          <input
            name={name}
            value={typed.text}
            inputmode="numeric"
            autocomplete="off"
            aria-label={`${row.label}: days`}
          />
        </ModeGroup>
      );
    case 'name':
      return <TextRow {...row} value={typed.text} required />;
  }
}

interface ModeGroupProps {
  row: { name: string; label: string; hint?: string; error?: string };
  typed: TypedSetting;
  modes: { value: string; label: string; meaning?: string }[];
  /** What the last mode asks for. */
  children: ComponentChildren;
}

/** A setting that has a mode, and a value in one of the modes. */
function ModeGroup({ row, typed: { mode }, modes, children }: ModeGroupProps) {
  return (
    <FieldGroup {...row}>
      <Checks type="radio" name={modeField(row.name)} checks={modes} chosen={[mode]} />
      <div class="inner">{children}</div>
    </FieldGroup>
  );
}

const everyOrSome = (every: string, some: string) => [
  { value: EVERY, label: every },
  { value: SOME, label: some },
];

function Use({ setting, use }: { setting: FieldSetting; use: string }) {
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
