import { zoneData } from '../../domain/zones/time-zone.js';

/** The id of the list of zones that the fields of a page suggest. */
export const ZONES_LIST = 'zones';

/** The zones of the data in force. */
export function ZonesList() {
  const names = zoneData()
    .names()
    .filter((name) =>
      /^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//.test(name),
    );
  return (
    <datalist id={ZONES_LIST}>
      {['UTC', ...names.sort()].map((name) => (
        <option value={name} />
      ))}
    </datalist>
  );
}
