import { type ComponentChildren } from 'preact';

interface SecretProps {
  id: string;
  title: string;
  secret: string;
  /** What the secret is for, and that it is not shown again. */
  children: ComponentChildren;
  /** What can be done with it. */
  use?: ComponentChildren;
}

/** A secret that this page shows and no other. One click selects all of it. */
export function SecretCard({ id, title, secret, children, use }: SecretProps) {
  return (
    <section class="card secret" id={id}>
      <h2>{title}</h2>
      <p>{children}</p>
      <output data-secret>{secret}</output>
      {use}
    </section>
  );
}

/** Text to copy: one click selects all of it. */
export function CopyBlock({ title, children }: { title: string; children: string }) {
  return (
    <figure class="copy">
      <figcaption>{title}</figcaption>
      <pre>{children}</pre>
    </figure>
  );
}
