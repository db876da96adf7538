import { type CarrierCheck, type CheckSubject } from '../carrier.js';
import { checkReportUrl } from '../check-report-url.js';
import { type JsonAnswer } from '../json-api.js';
import { type VapiApi } from './vapi-api.js';
import { type VapiOptions } from './vapi-options.js';
import { vapiReportUrl } from './vapi-paths.js';
import { SECRET_HEADER, secretOf } from './vapi-secret.js';
import { vapiSettingsOf } from './vapi-settings.js';

type Item = CarrierCheck['items'][number];

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
  const list = await api.numbers(apiKey, signal);
  const items: Item[] = [
    list.kind === 'numbers'
      ? { what: 'API key', ok: true, detail: 'Vapi takes it' }
      : { what: 'API key', ok: false, detail: why(list.answer) },
  ];
  // With a wrong key, every other request to Vapi would fail for the same reason.
  if (list.kind === 'numbers') {
    for (const id of new Set(known.map(({ assistantId }) => assistantId))) {
      items.push(await assistantItem(api, apiKey, id, signal));
    }
    const own = new Set(list.ids.values());
    const named = new Map(known.flatMap(({ phoneNumberIds = {} }) => Object.entries(phoneNumberIds)));
    for (const number of numbers) items.push(numberItem(number, named.get(number), list.ids, own));
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
  return { what: `assistant ${id}`, ok, detail: ok ? 'exists' : why(answer, 'Vapi has no such assistant') };
}

/** @param named the id of the agents' settings. @param own the ids of the account's numbers. */
function numberItem(
  number: string,
  named: string | undefined,
  ids: ReadonlyMap<string, string>,
  own: ReadonlySet<string>,
): Item {
  const ok = named === undefined ? ids.has(number) : own.has(named);
  if (ok) return { what: number, ok, detail: 'number of the account' };
  const detail =
    named === undefined
      ? 'neither bought at Vapi nor imported'
      : 'phoneNumberIds names an id that the account does not have';
  return { what: number, ok, detail };
}

function why(answer: JsonAnswer, missing = 'not found'): string {
  if (answer.kind !== 'answer') return `Vapi cannot be reached (${answer.reason})`;
  const { status } = answer;
  if (status === 401 || status === 403) return 'Vapi refuses the key';
  if (status === 404 || status === 422 || status === 400) return missing;
  return status === 200 ? 'Vapi’s answer is unreadable' : `Vapi answered ${status}`;
}
