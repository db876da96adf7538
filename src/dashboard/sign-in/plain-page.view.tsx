import { type ComponentChildren } from 'preact';
import { Document } from '../design/document.js';
import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';

interface PlainPageProps {
  request: PageRequest;
  title: string;
  children: ComponentChildren;
}

/** A page of no team: one column, and the way out for a person who is signed in. */
export function PlainPage({ request, title, children }: PlainPageProps) {
  return (
    <Document title={title}>
      <header class="top">
        <div>
          <span class="brand">{request.viewer === null ? 'Outdial' : <a href="/start">Outdial</a>}</span>
          {request.viewer !== null && (
            <>
              <nav aria-label="Account">
                <a href="/account">{request.viewer.email}</a>
              </nav>
              <PostForm frame={{ request }} action="/logout">
                <button>Sign out</button>
              </PostForm>
            </>
          )}
        </div>
      </header>
      <main class="narrow">{children}</main>
    </Document>
  );
}

/** Why a form was refused. */
export function Refusal({ children }: { children: ComponentChildren }) {
  if (children === null || children === undefined) return null;
  return (
    <p class="notice bad" role="alert" id="problem">
      {children}
    </p>
  );
}

interface FieldProps {
  label: string;
  name: string;
  /** By default, the name; for a page on which several forms have the name. */
  id?: string;
  type: 'email' | 'password' | 'text';
  autocomplete: 'username' | 'current-password' | 'new-password' | 'one-time-code';
  value?: string;
  /** What the field asks for. */
  hint?: string;
  /** Why its value was refused. */
  fault?: string | null;
}

/** A labelled field, with its hint and its fault. */
export function Field({ label, name, id = name, type, autocomplete, value, hint, fault = null }: FieldProps) {
  const described = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(Boolean);
  const attributes = {
    id,
    name,
    value,
    autocomplete,
    required: true,
    'aria-invalid': fault !== null ? ('true' as const) : undefined,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="soft small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {type === 'email' && <input type="email" {...attributes} />}
      {type === 'password' && <input type="password" {...attributes} />}
      {type === 'text' && <input type="text" autocapitalize="off" spellcheck={false} {...attributes} />}
    </div>
  );
}

/** A field for a new password. */
export function NewPasswordField({ fault }: { fault: string | null }) {
  return (
    <Field
      label="New password"
      name="password"
      type="password"
      autocomplete="new-password"
      hint="At least 12 characters. Three or four words that do not belong together are good; common ones are refused."
      fault={fault}
    />
  );
}

interface CodeFieldProps {
  id?: string;
  hint?: string;
  fault: string | null;
}

/** A field for a code of an authenticator. */
export function CodeField({
  id = 'code',
  hint = 'The six digits of your authenticator, or a recovery code.',
  fault,
}: CodeFieldProps) {
  return (
    <Field
      label="Code"
      name="code"
      id={id}
      type="text"
      autocomplete="one-time-code"
      hint={hint}
      fault={fault}
    />
  );
}
