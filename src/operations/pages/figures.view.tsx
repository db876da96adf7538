import { stateLabel } from '../../domain/narrator/labels.js';
import { FigureCard } from './figure-card.view.js';
import { count } from './local-time.js';

/** The label of an outcome as statistics name it. */
export const outcomeLabel = (outcome: string) => stateLabel(outcome === 'unknown' ? 'dial_unknown' : outcome);

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
