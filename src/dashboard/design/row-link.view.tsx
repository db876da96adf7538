import { type ComponentChildren } from 'preact';

interface RowLinkProps {
  href: string;
  children: ComponentChildren;
}

/** The link of a row of a table of the class `rows`. It covers the whole row; other links of the row stay above it. */
export function RowLink({ href, children }: RowLinkProps) {
  return (
    <a class="row-link" href={href}>
      {children}
    </a>
  );
}
