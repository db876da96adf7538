/** A page of a group of pages. */
export interface SubPage {
  name: string;
  label: string;
  href: string;
}

interface SubNavigationProps {
  label: string;
  pages: readonly SubPage[];
  current: string;
}

/** The pages of a group, below the header. */
export function SubNavigation({ label, pages, current }: SubNavigationProps) {
  return (
    <nav class="sub" aria-label={label}>
      {pages.map(({ name, label: text, href }) => (
        <a href={href} aria-current={name === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
