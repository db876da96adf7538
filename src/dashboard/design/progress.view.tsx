import { count } from './local-time.js';

interface ProgressProps {
  label: string;
  done: number;
  /** Null: it is not known how much there is. */
  of: number | null;
}

/** How far something is, as a bar and in figures. */
export function Progress({ label, done, of }: ProgressProps) {
  return (
    <p class="progress">
      <progress aria-label={label} max={of ?? undefined} value={of === null ? undefined : done} />
      <span class="small">
        {label}: {count(done)}
        {of !== null && ` of ${count(of)}`}
      </span>
    </p>
  );
}
