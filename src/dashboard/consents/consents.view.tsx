import { type ConsentResource } from '../../consents/consent.dto.js';
import { CONSENT_LEVELS, PURPOSES, VOICES } from '../../domain/compliance/pack.js';
import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { FilterBar, setFilters } from '../design/filter-bar.view.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { SelectRow, TextRow } from '../design/form-field.view.js';
import { PhoneField, PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { ConsentTable } from './consent-table.view.js';
import { LEVEL_WORDS, PURPOSE_WORDS, VOICE_WORDS } from './consent-words.js';

/** What was typed into the form of a new consent, by its fields. `grantedOn` and `lastDay` are dates. */
export const CONSENT_FORM = {
  phoneNumber: 'Phone number',
  level: 'Level',
  purpose: 'Purpose',
  voice: 'Voice',
  source: 'Given by',
  evidence: 'Evidence (optional)',
  grantedOn: 'Given on',
  lastDay: 'Last day (optional)',
} as const;
export type TypedConsent = Record<keyof typeof CONSENT_FORM, string>;

export interface ConsentsOfTeam {
  /** Null if the address is refused. */
  consents: Page<ConsentResource> | null;
  /** The number that was looked up, as it was typed. */
  sought: string | null;
  typed: TypedConsent;
  errors: FieldErrors;
}

const ANY = '';

/** A team's consents: their list, a look-up by number, and a form for a new one. */
export function consentsPage(frame: Frame, { consents, sought, typed, errors }: ConsentsOfTeam) {
  const teamId = frame.team?.id ?? '';
  const list = `${frame.base}/consents`;
  return (
    <Layout frame={frame} section="consents" title="Consents">
      <h1>Consents</h1>
      <p class="soft">
        What people have agreed to. A consent is never changed. It ends when it is revoked, when it expires,
        or when its number is added to Do Not Call; removing the number from that list does not revive it.
      </p>
      <ErrorSummary title="The consent was not recorded." errors={errors} />
      <FilterBar
        action={list}
        set={setFilters({ Number: sought })}
        without={list}
        refused={frame.problem !== null}
      >
        <PhoneField value={sought} />
      </FilterBar>
      {consents !== null && (
        <section class="card" id="list">
          <h2>{sought === null ? 'All consents' : `Consents of ${sought}`}</h2>
          {consents.items.length === 0 ? (
            <p>
              {sought === null ? 'No consent is recorded yet.' : 'No consent of this number is recorded.'}
            </p>
          ) : (
            <ConsentTable frame={frame} teamId={teamId} consents={consents.items} withNumber />
          )}
          <p class="choices">
            {consents.nextCursor !== null && (
              <a
                href={address(list, {
                  phoneNumber: sought ?? undefined,
                  timezone: frame.request.parameter('timezone'),
                  cursor: consents.nextCursor,
                })}
              >
                Earlier consents
              </a>
            )}
            {sought !== null && <a href={list}>All consents</a>}
          </p>
        </section>
      )}
      {may(frame, 'suppressions.change') && <AddSection frame={frame} typed={typed} errors={errors} />}
    </Layout>
  );
}

function AddSection({ frame, typed, errors }: { frame: Frame; typed: TypedConsent; errors: FieldErrors }) {
  const row = (name: keyof TypedConsent) => ({ name, label: CONSENT_FORM[name], error: errors[name] });
  return (
    <section class="card" id="add">
      <h2>Record a consent</h2>
      <p class="soft">
        To record many consents, import a file with <code>import --type consents</code>, or use{' '}
        <a href="/docs">the API</a>.
      </p>
      <PostForm frame={frame} action={`${frame.base}/consents`}>
        <TextRow {...row('phoneNumber')} value={typed.phoneNumber} required />
        <SelectRow
          {...row('level')}
          chosen={typed.level}
          options={CONSENT_LEVELS.map((level) => [level, LEVEL_WORDS[level]])}
        />
        <SelectRow
          {...row('purpose')}
          chosen={typed.purpose}
          options={[[ANY, 'Every purpose'], ...PURPOSES.map((one) => [one, PURPOSE_WORDS[one]] as const)]}
        />
        <SelectRow
          {...row('voice')}
          chosen={typed.voice}
          options={[[ANY, 'Every voice'], ...VOICES.map((one) => [one, VOICE_WORDS[one]] as const)]}
        />
        <TextRow
          {...row('source')}
          hint="How the consent was given, such as a web form or a signed letter."
          value={typed.source}
          required
        />
        <TextRow
          {...row('evidence')}
          hint="Where the proof is, such as the address of the stored form."
          value={typed.evidence}
        />
        <TextRow
          {...row('grantedOn')}
          hint={`A day in ${frame.zone}. A consent of today begins now. One of an earlier day begins with that day. A later opt-out ends it.`}
          type="date"
          value={typed.grantedOn}
          required
        />
        <TextRow
          {...row('lastDay')}
          hint={`The consent ends by itself at the end of this day in ${frame.zone}. Empty: it does not.`}
          type="date"
          value={typed.lastDay}
        />
        <button class="main">Record consent</button>
      </PostForm>
    </section>
  );
}
