interface ErrorSummaryProps {
  /** What was not done. */
  title: string;
  /** By field; empty: nothing was refused. */
  errors: Record<string, string>;
}

/** What was refused, above a form; each message leads to its field. */
export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const refused = Object.entries(errors);
  if (refused.length === 0) return null;
  return (
    <div class="notice bad" role="alert" id="problem">
      {title}
      <ul>
        {refused.map(([field, text]) => (
          <li>
            <a href={`#field-${field.replaceAll('.', '-')}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
