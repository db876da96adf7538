import { COMPLIANCE_MODES, type ComplianceMode } from '../../domain/compliance/facts.js';
import { PURPOSES, RULE_KINDS, type RuleKind, VOICES } from '../../domain/compliance/pack.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { Checks, FieldGroup, type Option, SelectRow, TextRow } from '../design/form-field.view.js';
import { PURPOSE_WORDS, VOICE_WORDS } from '../consents/consent-words.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type Frame } from '../frame/page-frame.service.js';
import {
  ALL_PACKS,
  COMPLIANCE_LABELS,
  kindField,
  SOME_PACKS,
  type TypedCompliance,
} from './compliance-form.js';

const MODES: Record<ComplianceMode, { label: string; meaning: string }> = {
  off: { label: 'Off', meaning: 'Rules of law are not read.' },
  warn: { label: 'Warn', meaning: 'Each decision shows what the rules say; nothing is refused or moved.' },
  enforce: { label: 'Enforce', meaning: 'A call is placed only if the rules allow it.' },
};
const KIND_LABELS: Record<RuleKind, string> = {
  callingHours: 'Hours',
  closedDates: 'Closed dates',
  frequencyCap: 'Calls to one person',
  coolOff: 'Days after a conversation',
  consentRequired: 'Consents',
  prohibition: 'Prohibitions',
  suspension: 'Suspensions',
  registerScrub: 'Registers',
  disclosure: 'What must be said',
};

const STRICTEST: Option = ['', 'Not set: the strictest rules apply'];
const optionsOf = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) =>
  values.map((value): Option => [value, labels[value]]);
const KIND_MODES: Option[] = [
  ['', 'As above'],
  ...COMPLIANCE_MODES.map((mode): Option => [mode, MODES[mode].label]),
];

interface ComplianceFormProps {
  frame: Frame;
  typed: TypedCompliance;
  errors: FieldErrors;
  /** The names of the packs that are loaded. */
  packs: readonly string[];
  mayChange: boolean;
}

export function ComplianceForm({ frame, typed, errors, packs, mayChange }: ComplianceFormProps) {
  return (
    <section class="card" id="law">
      <h2>Rules of law</h2>
      <p class="soft">
        Packs hold dated rules of jurisdictions: hours, holidays, caps, consents, registers.{' '}
        <a href="/docs/packs">They are listed with their sources.</a> They help a team comply with the law.
        They are not legal advice.
      </p>
      {mayChange ? (
        <PostForm frame={frame} action={`${frame.base}/settings/compliance`}>
          <ErrorSummary title="Nothing was saved." errors={errors} />
          <Fields typed={typed} errors={errors} packs={packs} />
          <button class="main">Save compliance</button>
        </PostForm>
      ) : (
        <p data-setting="compliance">
          Mode: <b>{MODES[typed.mode as ComplianceMode].label}</b>. An admin of the team can change it.
        </p>
      )}
    </section>
  );
}

function Fields({ typed, errors, packs }: Pick<ComplianceFormProps, 'typed' | 'errors' | 'packs'>) {
  return (
    <>
      <FieldGroup name="mode" label={COMPLIANCE_LABELS.mode} error={errors.mode}>
        <Checks
          type="radio"
          name="mode"
          checks={COMPLIANCE_MODES.map((value) => ({ value, ...MODES[value] }))}
          chosen={[typed.mode]}
        />
      </FieldGroup>
      <FieldGroup
        name="packs"
        label={COMPLIANCE_LABELS.packs}
        hint={`Loaded: ${packs.length === 0 ? 'none' : packs.join(', ')}.`}
        error={errors.packs}
      >
        <Checks
          type="radio"
          name="packs.mode"
          checks={[
            { value: ALL_PACKS, label: 'All of the called person’s place' },
            { value: SOME_PACKS, label: 'Only these packs' },
          ]}
          chosen={[typed.packsMode]}
        />
        <div class="inner">
          <input
            name="packs"
            value={typed.packs}
            placeholder="us, us-fl"
            autocomplete="off"
            aria-label="Packs: names, separated by commas"
          />
        </div>
      </FieldGroup>
      <SelectRow
        name="purpose"
        label={COMPLIANCE_LABELS.purpose}
        hint="The purpose of a campaign or an agent takes precedence."
        error={errors.purpose}
        chosen={typed.purpose}
        options={[STRICTEST, ...optionsOf(PURPOSES, PURPOSE_WORDS)]}
      />
      <SelectRow
        name="voice"
        label={COMPLIANCE_LABELS.voice}
        error={errors.voice}
        chosen={typed.voice}
        options={[STRICTEST, ...optionsOf(VOICES, VOICE_WORDS)]}
      />
      <TextRow
        name="regionProperty"
        label={COMPLIANCE_LABELS.regionProperty}
        hint="The custom property of contacts with their region, such as US-FL. If it and the number name different regions, the stricter rules apply."
        error={errors.regionProperty}
        value={typed.regionProperty}
      />
      <TextRow
        name="consentProperty"
        label={COMPLIANCE_LABELS.consentProperty}
        hint="The custom property of contacts with the level of their consent: express or expressWritten."
        error={errors.consentProperty}
        value={typed.consentProperty}
      />
      <FieldGroup name="kinds" label={COMPLIANCE_LABELS.kinds} error={errors.kinds}>
        <details open={Object.values(typed.kinds).some((mode) => mode !== '') || errors.kinds !== undefined}>
          <summary>Choose by kind</summary>
          {RULE_KINDS.map((kind) => (
            <SelectRow
              name={kindField(kind)}
              label={KIND_LABELS[kind]}
              chosen={typed.kinds[kind] ?? ''}
              options={KIND_MODES}
            />
          ))}
        </details>
      </FieldGroup>
    </>
  );
}
