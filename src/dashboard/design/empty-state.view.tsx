import { type ComponentChildren } from 'preact';

/** What a list says that has nothing: why, and what can be done. */
export function EmptyState({ children }: { children: ComponentChildren }) {
  return <p class="soft empty">{children}</p>;
}
