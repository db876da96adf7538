import { type ComponentChildren } from 'preact';

interface FilterBarProps {
  /** Where the list is. */
  action: string;
  /** The filters that are set, as people read them, such as `State: Completed`. */
  set: readonly string[];
  /** The address of the list without filters. */
  without: string;
  /** Whether a filter is refused. Its field is then seen at once. */
  refused?: boolean;
  children: ComponentChildren;
}

/** The filters of a list. On a narrow screen they are behind a summary that says which are set. */
export function FilterBar({ action, set, without, refused = false, children }: FilterBarProps) {
  return (
    <details class="filter-bar" open={refused}>
      <summary>{set.length === 0 ? 'Filters' : `Filters: ${set.join(' · ')}`}</summary>
      <form class="bar filters" method="get" action={action}>
        {children}
        <button class="main">Show</button>
        {set.length > 0 && (
          <a class="small" href={without}>
            Without filters
          </a>
        )}
      </form>
    </details>
  );
}

/** The filters that are set. @param values by label; empty, null or undefined: not set. */
export function setFilters(values: Record<string, string | null | undefined>): string[] {
  return Object.entries(values).flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
}
