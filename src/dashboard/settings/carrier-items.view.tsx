import { type CarrierReport } from '../../carriers/carrier-check.service.js';
import { Badge } from '../frame/controls.js';

/** What a check of a carrier has found. */
export function CarrierItems({ report: { ok, items } }: { report: CarrierReport }) {
  return (
    <>
      <p>{ok ? <Badge mood="good">works</Badge> : <Badge mood="bad">does not work</Badge>}</p>
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
