import { type AccountField } from '../../carriers/account-fields.js';
import { type CarrierReport } from '../../carriers/carrier-check.service.js';
import { type CarrierAccountResource } from '../../carrier-accounts/carrier-account.dto.js';
import { mayDo } from '../../domain/permissions.js';
import { CheckList } from '../design/check-list.view.js';
import { FormRow, TextRow } from '../design/form-field.view.js';
import { timeIn } from '../design/local-time.js';
import { Hidden, PostForm, Question } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type Frame } from '../frame/page-frame.service.js';

/** A carrier at which a team can have accounts of its own. */
export interface AccountCarrier {
  name: string;
  fields: readonly AccountField[];
}

export interface CarrierAccounts {
  accounts: readonly CarrierAccountResource[];
  carriers: readonly AccountCarrier[];
  /** Whether credentials can be sealed here. */
  canSeal: boolean;
  /** What was typed into a form that was refused, without its credentials. */
  refused: { carrier: string; name: string; errors: FieldErrors } | null;
  /** Why new credentials of an account were refused. */
  refusedRotation: { accountId: string; errors: FieldErrors } | null;
  /** Why limits of an account were refused, and what was typed. */
  refusedLimits: { accountId: string; typed: Record<LimitName, string>; errors: FieldErrors } | null;
  /** The account that was checked for this page. */
  checked: { account: CarrierAccountResource; report: Pick<CarrierReport, 'ok' | 'items'> } | null;
}

export const ACCOUNT_LABELS = {
  name: 'Name',
  credentials: 'Credentials',
  maxConcurrent: 'Active calls at a time, at most',
  callsPerSecond: 'Calls a second, at most',
};

export const LIMIT_NAMES = ['maxConcurrent', 'callsPerSecond'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

const LIMIT_HINTS: Record<LimitName, string> = {
  maxConcurrent: 'Of all agents that name the account. Empty: no limit.',
  callsPerSecond: 'From 0.1 to 1000. Empty: no limit.',
};

/** The team's own accounts at carriers, and forms to add, rotate and delete them. */
export function CarrierAccountsSection(props: CarrierAccounts & { frame: Frame }) {
  const { frame, accounts, carriers, canSeal, refused, refusedRotation, refusedLimits, checked } = props;
  if (carriers.length === 0) return null;
  const mayChange = mayDo(frame.request.role, 'settings.change');
  return (
    <>
      {checked !== null && (
        <section class="card" id="checked-account">
          <h2>Check of {checked.account.name}</h2>
          <CheckList {...checked.report} />
        </section>
      )}
      <section class="card" id="accounts">
        <h2>Accounts of the team</h2>
        <p class="soft">
          With an account of its own, the team’s agents call with its numbers and at its cost. An agent names
          the account. Credentials are stored sealed and are never shown again.
        </p>
        {accounts.length === 0 ? (
          <p>The team has no account of its own.</p>
        ) : (
          <table class="stack">
            <thead>
              <tr>
                <th>Account</th>
                <th>Carrier</th>
                <th>Limits</th>
                <th>Credentials</th>
                <th>
                  <Hidden>Actions</Hidden>
                </th>
              </tr>
            </thead>
            {accounts.map((account) => (
              <AccountRow
                frame={frame}
                account={account}
                carriers={carriers}
                mayChange={mayChange}
                errors={refusedRotation?.accountId === account.id ? refusedRotation.errors : {}}
                refusedLimits={refusedLimits?.accountId === account.id ? refusedLimits : null}
              />
            ))}
          </table>
        )}
      </section>
      {mayChange &&
        canSeal &&
        carriers.map((carrier) => (
          <NewAccount
            frame={frame}
            carrier={carrier}
            refused={refused?.carrier === carrier.name ? refused : null}
          />
        ))}
      {mayChange && !canSeal && (
        <p class="soft">
          Accounts cannot be added here, because SECRETS_KEY is not set: the operator of the deployment sets
          it.
        </p>
      )}
    </>
  );
}

interface AccountRowProps {
  frame: Frame;
  account: CarrierAccountResource;
  carriers: readonly AccountCarrier[];
  mayChange: boolean;
  /** Of its form for new credentials. */
  errors: FieldErrors;
  refusedLimits: CarrierAccounts['refusedLimits'];
}

function AccountRow({ frame, account, carriers, mayChange, errors, refusedLimits }: AccountRowProps) {
  const { id, name, carrier, reportUrl, rotatedAt, createdAt } = account;
  const action = `${frame.base}/settings/carriers/accounts/${id}`;
  const fields = carriers.find((one) => one.name === carrier)?.fields ?? [];
  return (
    <tr data-account={id}>
      <td>
        <b>{name}</b>
        <br />
        <code class="small">{id}</code>
      </td>
      <td data-name="Carrier" class="long">
        {carrier}
        {reportUrl !== null && (
          <>
            <br />
            <span class="soft small">
              reports to <code>{reportUrl}</code>
            </span>
          </>
        )}
      </td>
      <td data-name="Limits">{limitsText(account)}</td>
      <td data-name="Credentials" class="nowrap">
        {rotatedAt === null
          ? `since ${timeIn(frame.zone, createdAt)}`
          : `rotated ${timeIn(frame.zone, rotatedAt)}`}
      </td>
      <td>
        {mayDo(frame.request.role, 'agents.change') && (
          <PostForm frame={frame} action={`${action}/check`}>
            <button>
              Check<Hidden> {name}</Hidden>
            </button>
          </PostForm>
        )}
        {mayChange && (
          <>
            <details open={refusedLimits !== null}>
              <summary>
                Limits<Hidden> of {name}</Hidden>…
              </summary>
              <Refusal errors={refusedLimits?.errors ?? {}} />
              <PostForm frame={frame} action={`${action}/limits`}>
                {LIMIT_NAMES.map((limit) => (
                  <FormRow
                    name={`limits-${id}-${limit}`}
                    label={ACCOUNT_LABELS[limit]}
                    hint={LIMIT_HINTS[limit]}
                    error={refusedLimits?.errors[limit] ?? null}
                  >
                    {(attributes) => (
                      <input
                        {...attributes}
                        name={limit}
                        value={refusedLimits?.typed[limit] ?? account[limit]?.toString() ?? ''}
                        inputmode="decimal"
                        autocomplete="off"
                      />
                    )}
                  </FormRow>
                ))}
                <button>Save the limits of {name}</button>
              </PostForm>
            </details>
            <details open={Object.keys(errors).length > 0}>
              <summary>
                Rotate<Hidden> the credentials of {name}</Hidden>…
              </summary>
              <Refusal errors={errors} />
              <PostForm frame={frame} action={`${action}/credentials`}>
                <CredentialRows prefix={`rotate-${id}`} fields={fields} error={errors.credentials ?? null} />
                <button>Replace the credentials of {name}</button>
              </PostForm>
            </details>
            <Question
              frame={frame}
              action={`${action}/delete`}
              what={
                <>
                  Delete<Hidden> {name}</Hidden>
                </>
              }
              answer={`Yes, delete ${name}`}
            >
              {`Its credentials are erased. Agents that name it must name another account first. Reports about calls in progress are refused.`}
            </Question>
          </>
        )}
      </td>
    </tr>
  );
}

function limitsText({ maxConcurrent, callsPerSecond }: CarrierAccountResource): string {
  const limits = [
    ...(maxConcurrent === null ? [] : [`${maxConcurrent} at a time`]),
    ...(callsPerSecond === null ? [] : [`${callsPerSecond} a second`]),
  ];
  return limits.length === 0 ? 'none' : limits.join(', ');
}

interface NewAccountProps {
  frame: Frame;
  carrier: AccountCarrier;
  refused: CarrierAccounts['refused'];
}

function NewAccount({ frame, carrier: { name, fields }, refused }: NewAccountProps) {
  return (
    <section class="card" id={`new-${name}`}>
      <h2>Add an account at {name}</h2>
      <Refusal errors={refused?.errors ?? {}} />
      <PostForm frame={frame} action={`${frame.base}/settings/carriers/accounts`}>
        <input type="hidden" name="carrier" value={name} />
        <TextRow
          name="name"
          label={ACCOUNT_LABELS.name}
          hint="The account’s name in lists."
          value={refused?.name ?? ''}
          error={refused?.errors.name ?? null}
          required
        />
        <CredentialRows prefix={`new-${name}`} fields={fields} error={refused?.errors.credentials ?? null} />
        <button class="main">Add account</button>
      </PostForm>
    </section>
  );
}

/** Why a form was refused as a whole. */
function Refusal({ errors }: { errors: FieldErrors }) {
  const text = errors[''];
  if (text === undefined) return null;
  return (
    <p class="notice bad" role="alert">
      {text}.
    </p>
  );
}

interface CredentialRowsProps {
  prefix: string;
  fields: readonly AccountField[];
  error?: string | null;
}

/** A field for each credential. What was typed is never sent back. */
function CredentialRows({ prefix, fields, error = null }: CredentialRowsProps) {
  return (
    <>
      {fields.map(({ name, label, hint, optional }, index) => (
        <FormRow
          name={`${prefix}-${name}`}
          label={optional ? `${label} (optional)` : label}
          hint={hint}
          error={index === 0 ? error : null}
        >
          {(attributes) => (
            <input
              {...attributes}
              name={`credentials.${name}`}
              type="password"
              required={!optional}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
            />
          )}
        </FormRow>
      ))}
    </>
  );
}
