import { type ComponentChildren } from 'preact';

/** A row of a card: what is counted, and how many. */
export interface FigureRow {
  /** Marks the row for scripts and tests. */
  key?: string;
  label: ComponentChildren;
  figure: string;
  /** What the figure was before, such as yesterday at this time. */
  before?: string;
  /** The list of what is counted. */
  list?: { address: string; name: string };
}

interface FigureCardProps {
  id: string;
  title: string;
  rows: FigureRow[];
  /** The note under the figures. */
  children: ComponentChildren;
}

/** A card with a table of figures; without rows, it shows that there are none. */
export function FigureCard({ id, title, rows, children }: FigureCardProps) {
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <table>
          {rows.map(({ key, label, figure, before, list }) => (
            <tr data-name={key}>
              <td>{label}</td>
              <td class="number">
                {list === undefined ? (
                  figure
                ) : (
                  <a href={list.address} aria-label={`${list.name}: ${figure}`}>
                    {figure}
                  </a>
                )}
                {before !== undefined && <span class="soft small"> ({before})</span>}
              </td>
            </tr>
          ))}
        </table>
      )}
      <p class="soft small">{children}</p>
    </section>
  );
}
