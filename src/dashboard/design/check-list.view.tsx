interface CheckListProps {
  ok: boolean;
  items: readonly { what: string; ok: boolean; detail: string }[];
}

/** The result of a check, item by item. */
export function CheckList({ ok, items }: CheckListProps) {
  return (
    <>
      <p>
        <span class={ok ? 'state good' : 'state bad'}>{ok ? 'works' : 'does not work'}</span>
      </p>
      {items.length > 0 && (
        <ul class="rules">
          {items.map(({ what, ok: passed, detail }) => (
            <li class={passed ? undefined : 'refused'}>
              <b>{what}</b> {detail}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
