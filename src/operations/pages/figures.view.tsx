import { stateLabel } from '../../domain/narrator/labels.js';
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
  const lines = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {lines.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <table>
          {lines.map(([name, n]) => (
            <tr data-name={name}>
              <td>{linkOf === undefined ? label(name) : <a href={linkOf(name)}>{label(name)}</a>}</td>
              <td class="number">{count(n)}</td>
            </tr>
          ))}
        </table>
      )}
      <p class="soft small">{children}</p>
    </section>
  );
}
