import { type CarrierCheck, type CheckSubject } from '../carrier.js';
import { checkReportUrl } from '../check-report-url.js';
import { type JsonAnswer } from '../json-api.js';
import { type VapiApi } from './vapi-api.js';
import { type VapiOptions } from './vapi-options.js';
import { vapiReportUrl } from './vapi-paths.js';
import { SECRET_HEADER, secretOf } from './vapi-secret.js';
import { vapiSettingsOf } from './vapi-settings.js';

type Item = CarrierCheck['items'][number];

const RETRY = 'it took the key before, so try again';

/** No call has this id. */
const NO_CALL = '00000000-0000-4000-8000-000000000000';

/**
 * Checks the key, each assistant, each number and the address of reports, without a call. The address is requested
 * as Vapi requests it: by its public name, with a secret of this account and a report that concerns no call.
 */
export async function checkVapi(
  api: VapiApi,
  apiKey: string,
  { publicUrl, timeoutMs }: Pick<VapiOptions, 'publicUrl' | 'timeoutMs'>,
  numbers: readonly string[],
  { account = null, settings = [] }: CheckSubject,
  signal: AbortSignal,
): Promise<CarrierCheck> {
  const known = settings.flatMap((one) => vapiSettingsOf(one) ?? []);
  const list = await api.listNumbers(apiKey, signal);
  const mend = account === null ? 'set VAPI_API_KEY to it' : 'replace the credentials of the account';
  const items: Item[] = [
    list.kind === 'numbers'
      ? { what: 'API key', ok: true, detail: 'Vapi takes it' }
      : {
          what: 'API key',
          ok: false,
          detail: why(list.answer, `copy the private key from Vapi’s dashboard, and ${mend}`),
        },
  ];
  // With a wrong key, every other request to Vapi would fail for the same reason.
  if (list.kind === 'numbers') {
    for (const id of new Set(known.map(({ assistantId }) => assistantId))) {
      items.push(await assistantItem(api, apiKey, id, signal));
    }
    const named = new Map(known.flatMap(({ phoneNumberIds = {} }) => Object.entries(phoneNumberIds)));
    for (const number of numbers) items.push(numberItem(number, named.get(number), list.listed));
  }
  const url = vapiReportUrl(publicUrl, account?.id ?? null);
  const body = JSON.stringify({ message: { type: 'outdial-check' } });
  const headers = { [SECRET_HEADER]: secretOf(apiKey, NO_CALL) };
  items.push(await checkReportUrl({ url, body, headers, timeoutMs, signal }));
  return { ok: items.every(({ ok }) => ok), items };
}

async function assistantItem(api: VapiApi, apiKey: string, id: string, signal: AbortSignal): Promise<Item> {
  const answer = await api.get(`/assistant/${encodeURIComponent(id)}`, apiKey, signal);
  const ok = answer.kind === 'answer' && answer.status === 200;
  const missing = 'Vapi has no such assistant: copy its id from Vapi’s dashboard into the agent’s settings';
  return { what: `assistant ${id}`, ok, detail: ok ? 'exists' : why(answer, RETRY, missing) };
}

/** @param named the id of the agents' settings. */
function numberItem(
  number: string,
  named: string | undefined,
  listed: readonly Record<string, unknown>[],
): Item {
  const own = listed.find((one) => (named === undefined ? one.number === number : one.id === named));
  if (own === undefined) {
    const detail =
      named === undefined
        ? 'neither bought at Vapi nor imported: do so there, or call from another number'
        : 'phoneNumberIds names an id that the account does not have: take it out, so that the id is looked up';
    return { what: number, ok: false, detail };
  }
  const { status } = own;
  if (status === 'blocked' || status === 'activating') {
    return {
      what: number,
      ok: false,
      detail: `${UNUSABLE[status]}, so it cannot call out: see Vapi’s dashboard`,
    };
  }
  return { what: number, ok: true, detail: 'number of the account' };
}

const UNUSABLE = { blocked: 'Vapi has blocked it', activating: 'Vapi is still activating it' };

/** @param mend what to do if the key is refused. @param missing if what was asked for is not there. */
function why(answer: JsonAnswer, mend: string, missing = 'Vapi does not find it'): string {
  if (answer.kind !== 'answer') return `Vapi cannot be reached (${answer.reason}): try again later`;
  const { status } = answer;
  if (status === 401 || status === 403) return `Vapi refuses the key: ${mend}`;
  if (status === 404 || status === 422 || status === 400) return missing;
  return status === 200 ? 'Vapi’s answer is unreadable' : `Vapi answered ${status}: try again later`;
}
