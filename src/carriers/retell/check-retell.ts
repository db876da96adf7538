import { type CarrierCheck, type CheckSubject } from '../carrier.js';
import { checkReportUrl } from '../check-report-url.js';
import { type JsonAnswer } from '../json-api.js';
import { isRecord, textAt } from '../report-body.js';
import { type RetellApi } from './retell-api.js';
import { type RetellKeys, type RetellOptions } from './retell-options.js';
import { retellReportUrl } from './retell-paths.js';
import { retellSettingsOf } from './retell-settings.js';
import { signRetell } from './retell-signature.js';

type Item = CarrierCheck['items'][number];

const RETRY = 'it took the key before, so try again';

/**
 * Checks the API key, each agent, each number, the address of reports and its signature, without a call. The
 * address is requested as Retell requests it: by its public name, with a signed report that concerns no call.
 */
export async function checkRetell(
  api: RetellApi,
  keys: RetellKeys,
  { publicUrl, timeoutMs }: Pick<RetellOptions, 'publicUrl' | 'timeoutMs'>,
  numbers: readonly string[],
  { account = null, settings = [] }: CheckSubject,
  signal: AbortSignal,
): Promise<CarrierCheck> {
  const mend = account === null ? 'set RETELL_API_KEY to it' : 'replace the credentials of the account';
  const key = await keyItem(api, keys, mend, signal);
  const items = [key];
  // With a wrong key, every other request to Retell would fail for the same reason.
  if (key.ok) {
    for (const agentId of agentsOf(settings)) items.push(await agentItem(api, keys, agentId, signal));
    for (const number of numbers) items.push(await numberItem(api, keys, number, signal));
  }
  const url = retellReportUrl(publicUrl, account?.id ?? null);
  const report = JSON.stringify({ event: 'outdial_check' });
  const headers = { 'x-retell-signature': signRetell(keys.webhookKey, report) };
  items.push(await checkReportUrl({ url, body: report, headers, timeoutMs, signal }));
  if (key.ok) items.push(await webhookKeyItem(api, keys, signal));
  return { ok: items.every(({ ok }) => ok), items };
}

/** @param mend where a right key is put. */
async function keyItem(
  api: RetellApi,
  { apiKey }: RetellKeys,
  mend: string,
  signal: AbortSignal,
): Promise<Item> {
  const answer = await api.get('/get-concurrency', apiKey, signal);
  if (answer.kind !== 'answer' || answer.status !== 200 || !isRecord(answer.value))
    return {
      what: 'API key',
      ok: false,
      detail: why(answer, `copy a key from Retell’s dashboard, and ${mend}`),
    };
  const { current_concurrency: now, concurrency_limit: limit } = answer.value;
  const calls =
    typeof now === 'number' && typeof limit === 'number' ? `, ${now} of ${limit} calls in use` : '';
  return { what: 'API key', ok: true, detail: `Retell takes it${calls}` };
}

async function agentItem(
  api: RetellApi,
  { apiKey }: RetellKeys,
  agentId: string,
  signal: AbortSignal,
): Promise<Item> {
  const answer = await api.get(`/get-agent/${encodeURIComponent(agentId)}`, apiKey, signal);
  const ok = answer.kind === 'answer' && answer.status === 200;
  const missing = 'Retell has no such agent: copy its id from Retell’s dashboard into the agent’s settings';
  return { what: `agent ${agentId}`, ok, detail: ok ? 'exists' : why(answer, RETRY, missing) };
}

async function numberItem(
  api: RetellApi,
  { apiKey }: RetellKeys,
  number: string,
  signal: AbortSignal,
): Promise<Item> {
  const answer = await api.get(`/get-phone-number/${encodeURIComponent(number)}`, apiKey, signal);
  if (answer.kind !== 'answer' || answer.status !== 200 || !isRecord(answer.value)) {
    const missing = 'neither bought at Retell nor imported: do so there, or call from another number';
    return { what: number, ok: false, detail: why(answer, RETRY, missing) };
  }
  const { phone_number_type: type, sip_outbound_trunk_config: trunk } = answer.value;
  const isImported = type === 'custom';
  if (isImported && !(isRecord(trunk) && textAt(trunk, 'termination_uri'))) {
    const detail = 'imported without a termination URI, so it cannot call out: set one in Retell’s dashboard';
    return { what: number, ok: false, detail };
  }
  return { what: number, ok: true, detail: isImported ? 'imported number' : 'number of the account' };
}

/**
 * Whether the webhook key is a key of Retell's at all. Which of an account's keys has the badge, its API does not
 * tell.
 */
async function webhookKeyItem(
  api: RetellApi,
  { apiKey, webhookKey }: RetellKeys,
  signal: AbortSignal,
): Promise<Item> {
  const what = 'webhook key';
  const badge = 'it must have the webhook badge in Retell’s dashboard';
  if (webhookKey === apiKey) return { what, ok: true, detail: `is the API key; ${badge}` };
  const answer = await api.get('/get-concurrency', webhookKey, signal);
  if (answer.kind === 'answer' && answer.status === 200) {
    return { what, ok: true, detail: `is a key of Retell; ${badge}` };
  }
  return { what, ok: false, detail: why(answer, `copy the key that signs; ${badge}`) };
}

function agentsOf(settings: CheckSubject['settings'] = []): string[] {
  return [...new Set(settings.flatMap((one) => retellSettingsOf(one)?.agentId ?? []))];
}

/** @param mend what to do if the key is refused. @param missing if what was asked for is not there. */
function why(answer: JsonAnswer, mend: string, missing = 'Retell does not find it'): string {
  if (answer.kind !== 'answer') return `Retell cannot be reached (${answer.reason}): try again later`;
  const { status } = answer;
  if (status === 401 || status === 403) return `Retell refuses the key: ${mend}`;
  if (status === 404 || status === 422 || status === 400) return missing;
  return `Retell answered ${status}: try again later`;
}
