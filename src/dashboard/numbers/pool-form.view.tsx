import { ErrorSummary } from '../design/error-summary.view.js';
import { CheckGroup, AreaRow, TextRow } from '../design/form-field.view.js';
import { numberText } from '../design/phone-number.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';

/** A pool as the form has it. */
export interface TypedPool {
  name: string;
  /** As they were typed or ticked. */
  phoneNumbers: readonly string[];
}

/** What a pool's form was made with, so that it changes only what was changed in it. */
export interface PoolBefore {
  name: string;
  /** Of the numbers. */
  digest: string;
}

interface PoolFormProps {
  frame: Frame;
  /** The pool that is changed; null: a new one. */
  pool: { id: string; name: string } | null;
  typed: TypedPool;
  before: PoolBefore | null;
  errors: FieldErrors;
  /** The numbers of the team; null where they are too many to tick. */
  numbers: readonly { phoneNumber: string; usable: boolean }[] | null;
}

/** The form of a pool: its name, and which numbers are in it. */
export function poolFormPage({ frame, pool, typed, before, errors, numbers }: PoolFormProps) {
  const title = pool === null ? 'New pool' : `Pool ${pool.name}`;
  const list = `${frame.base}/numbers`;
  const members = { name: 'phoneNumbers', label: 'Numbers', error: errors.phoneNumbers ?? null };
  return (
    <Layout frame={frame} section="numbers" title={title}>
      <h1>{title}</h1>
      <ErrorSummary title="The pool is not saved." errors={errors} />
      <section class="card">
        <PostForm frame={frame} action={pool === null ? `${list}/pools` : `${list}/pools/${pool.id}`}>
          {before !== null && (
            <>
              <input type="hidden" name="before.name" value={before.name} />
              <input type="hidden" name="before.phoneNumbers" value={before.digest} />
            </>
          )}
          <TextRow name="name" label="Name" value={typed.name} error={errors.name ?? null} required />
          {numbers === null ? (
            <AreaRow
              {...members}
              hint="Numbers of the team, one a line."
              value={typed.phoneNumbers.join('\n')}
              rows={12}
            />
          ) : numbers.length === 0 ? (
            <p>The team has no number yet. The operator of the deployment adds them.</p>
          ) : (
            <CheckGroup
              {...members}
              checks={numbers.map(({ phoneNumber, usable }) => ({
                value: phoneNumber,
                label: numberText(phoneNumber),
                ...(!usable && { meaning: 'is turned off' }),
              }))}
              chosen={typed.phoneNumbers}
            />
          )}
          <p class="save choices">
            <button class="main">{pool === null ? 'Create the pool' : 'Save'}</button>
            <a class="button" href={list}>
              Cancel
            </a>
          </p>
        </PostForm>
      </section>
    </Layout>
  );
}
