import { isUuid } from '../../http/validators.js';

/** The lists that pages of the platform had, and pages of a team have. */
const LIST = /^\/(numbers|do-not-call|campaigns|calls(?:\/(?:download|cancel))?)$/;
const CALL = /^\/calls\/[\w%.~-]+(?:\/resolve)?$/;
const OF_TEAM = /^\/teams(\/[\w%.~-]+(?:\/[\w%.~-]+)*)$/;

/**
 * The address of a page today.
 *
 * @param path below `/admin`, as it was sent.
 * @param search with its question mark; empty without parameters.
 * @returns null: there was no such page.
 */
export function addressToday(path: string, search: string): string | null {
  const parameters = new URLSearchParams(search);
  const [teamId, ...others] = parameters.getAll('teamId');
  const list = LIST.exec(path)?.[1];
  if (path === '' || list !== undefined) {
    const below = list === undefined ? '' : `/${list}`;
    if (others.length === 0 && isUuid(teamId)) return `/t/${teamId}${below}${without('teamId', search)}`;
    return `/platform${list === 'calls/cancel' ? '/calls' : below}${search}`;
  }
  if (CALL.test(path)) return `/platform${path}${search}`;
  const ofTeam = OF_TEAM.exec(path)?.[1];
  return ofTeam === undefined ? null : `/t${ofTeam}${search}`;
}

/** The search of an address without a parameter; the others stay as they were sent. */
function without(name: string, search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && pair.split('=')[0] !== name);
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
