import { KEY_SCOPES, type KeyScope } from '../../domain/key-scopes.js';
import { type ApiKeyResource, type NewApiKeyResource } from '../../teams/api-key.dto.js';
import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { CheckGroup, TextRow } from '../design/form-field.view.js';
import { dateIn } from '../design/local-time.js';
import { CopyBlock, SecretCard } from '../design/secret.view.js';
import { Badge, Hidden, PostForm, Question } from '../frame/controls.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';
import { type FirstCommand } from './first-command.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { SettingsPage } from './settings-page.view.js';

/** What was typed into the form of a new key. */
export interface TypedKey {
  name: string;
  scopes: string[];
  /** A date. */
  expiresAt: string;
}

export const KEY_LABELS = { name: 'Name', scopes: 'Scopes', expiresAt: 'Last day' };

const MEANINGS: Record<KeyScope, string> = {
  calls: 'place, read and cancel calls',
  contacts: 'create, read, change and erase contacts',
  enrollments: 'enroll contacts, and end enrollments',
  campaigns: 'read, pause and change campaigns',
  agents: 'read and change voice agents and number pools',
  suppressions: 'read and change Do Not Call, the whitelist and consents',
  webhooks: 'read and change webhook endpoints',
  imports: 'import files',
  read: 'read everything, change nothing',
};

interface ApiKeys {
  keys: Page<ApiKeyResource>;
  typed: TypedKey;
  errors: FieldErrors;
  /** The key that this answer makes. */
  created: { key: NewApiKeyResource; command: FirstCommand & { mayCall: boolean } } | null;
}

export function apiKeysPage(frame: Frame, { keys, typed, errors, created }: ApiKeys) {
  const action = `${frame.base}/settings/api-keys`;
  return (
    <SettingsPage frame={frame} page="api-keys" title="API keys">
      <ErrorSummary title="The key was not created." errors={errors} />
      {created !== null && <Created {...created} />}
      <p class="soft">
        Your systems send a key with each request. <a href="/docs">The API’s documentation</a> says how.
      </p>
      <KeyList frame={frame} keys={keys} />
      <section class="card" id="new-key">
        <h2>{created === null ? 'Create a key' : 'Create another key'}</h2>
        <PostForm frame={frame} action={action}>
          <TextRow
            name="name"
            label={KEY_LABELS.name}
            hint="The system that uses the key, such as CRM. It is shown in lists and in the audit log."
            value={typed.name}
            error={errors.name}
            required
          />
          <CheckGroup
            name="scopes"
            label={KEY_LABELS.scopes}
            hint="What requests with the key may do. With every scope, the key has those of later versions, too."
            checks={KEY_SCOPES.map((scope) => ({ value: scope, label: scope, meaning: MEANINGS[scope] }))}
            chosen={typed.scopes}
            error={errors.scopes}
          />
          <TextRow
            name="expiresAt"
            label={`${KEY_LABELS.expiresAt} (optional)`}
            hint={`The key works to the end of this day in ${frame.zone}. Empty: it does not expire.`}
            type="date"
            value={typed.expiresAt}
            error={errors.expiresAt}
          />
          <button class="main">Create key</button>
        </PostForm>
      </section>
    </SettingsPage>
  );
}

function Created({ key, command: { command, call, mayCall } }: NonNullable<ApiKeys['created']>) {
  const title =
    call !== null
      ? `Place a call with ${call.agentName}: ${call.rings ? 'replace NUMBER TO CALL, a telephone rings' : 'no telephone rings'}`
      : mayCall
        ? 'Read what the key is. The team has no voice agent to call with yet'
        : 'Read what the key is';
  return (
    <SecretCard
      id="created"
      title={`Your new key: ${key.name}`}
      secret={key.key}
      use={<CopyBlock title={title}>{command}</CopyBlock>}
    >
      Copy it now: it is not shown again. Store it as a password; one who has it can do what its scopes allow.
    </SecretCard>
  );
}

function KeyList({ frame, keys: { items, nextCursor } }: { frame: Frame; keys: Page<ApiKeyResource> }) {
  const action = `${frame.base}/settings/api-keys`;
  if (items.length === 0) {
    return (
      <section class="card" id="keys">
        <p>The team has no API key, so its systems cannot send requests yet.</p>
      </section>
    );
  }
  return (
    <section class="card" id="keys">
      <table class="stack">
        <thead>
          <tr>
            <th>Name</th>
            <th>Key</th>
            <th>Scopes</th>
            <th>Created</th>
            <th>Last used</th>
            <th>Expires</th>
            <th>
              <Hidden>Revoke</Hidden>
            </th>
          </tr>
        </thead>
        {items.map((key) => (
          <KeyRow frame={frame} apiKey={key} />
        ))}
      </table>
      {nextCursor !== null && (
        <p>
          <a href={address(action, { cursor: nextCursor })}>Newer keys</a>
        </p>
      )}
    </section>
  );
}

function KeyRow({ frame, apiKey }: { frame: Frame; apiKey: ApiKeyResource }) {
  const { now, zone, base } = frame;
  const { id, name, prefix, scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  // The last instant of the key is before the one from which it is refused.
  const lastDay = expiresAt === null ? null : dateIn(zone, new Date(Date.parse(expiresAt) - 1));
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
  return (
    <tr data-key={id}>
      <td>
        <b>{name}</b>
      </td>
      <td data-name="Key" class="nowrap">
        <code>{prefix}…</code>
      </td>
      <td data-name="Scopes">{scopes.length === KEY_SCOPES.length ? 'all' : scopes.join(', ')}</td>
      <td data-name="Created" class="nowrap">
        <Instant zone={zone} at={createdAt} />
      </td>
      <td data-name="Last used" class="nowrap">
        {lastUsedAt === null ? 'never' : <Instant zone={zone} at={lastUsedAt} />}
      </td>
      <td data-name="Expires" class="nowrap">
        {lastDay === null ? 'never' : `after ${lastDay}`} {isExpired && <Badge mood="bad">expired</Badge>}
      </td>
      <td>
        <Question
          frame={frame}
          action={`${base}/settings/api-keys/${id}/revoke`}
          what={
            <>
              Revoke<Hidden> {name}</Hidden>
            </>
          }
          answer={`Yes, revoke ${name}`}
        >
          {`Requests with this key are refused at once, and the system that uses it can place no more calls. Calls that it placed go on. This cannot be undone.`}
        </Question>
      </td>
    </tr>
  );
}
