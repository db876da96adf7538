import { FigureCard } from './figure-card.view.js';
import { count } from './local-time.js';

interface FiguresProps {
  id: string;
  title: string;
  counts: Record<string, number>;
  label: (name: string) => string;
  linkOf?: (name: string) => string;
  children: string;
}

/** Counts by name, the largest first. */
export function Figures({ id, title, counts, label, linkOf, children }: FiguresProps) {
  const rows = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => ({
      key: name,
      label: linkOf === undefined ? label(name) : <a href={linkOf(name)}>{label(name)}</a>,
      figure: count(n),
    }));
  return (
    <FigureCard id={id} title={title} rows={rows}>
      {children}
    </FigureCard>
  );
}
