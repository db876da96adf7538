import { type CarrierCheck, type CheckSubject } from '../carrier.js';
import { checkReportUrl } from '../check-report-url.js';
import { type JsonAnswer } from '../json-api.js';
import { type ElevenLabsApi } from './elevenlabs-api.js';
import { type ElevenLabsKeys, type ElevenLabsOptions } from './elevenlabs-options.js';
import { elevenLabsReportUrl } from './elevenlabs-paths.js';
import { type ElevenLabsSettings, elevenLabsSettingsOf } from './elevenlabs-settings.js';
import { signElevenLabs } from './elevenlabs-signature.js';

type Item = CarrierCheck['items'][number];

/**
 * Checks the API key, each agent, each number and the address of reports, without a call. The address is requested
 * as ElevenLabs requests it: by its public name, with a signed report that concerns no call.
 */
export async function checkElevenLabs(
  api: ElevenLabsApi,
  { apiKey, webhookSecret }: ElevenLabsKeys,
  { publicUrl, timeoutMs }: Pick<ElevenLabsOptions, 'publicUrl' | 'timeoutMs'>,
  numbers: readonly string[],
  { account = null, settings = [] }: CheckSubject,
  signal: AbortSignal,
): Promise<CarrierCheck> {
  const known = settings.flatMap((one) => elevenLabsSettingsOf(one) ?? []);
  const list = await api.listNumbers(apiKey, signal);
  const items: Item[] = [
    list.kind === 'numbers'
      ? { what: 'API key', ok: true, detail: 'ElevenLabs takes it' }
      : { what: 'API key', ok: false, detail: why(list.answer) },
  ];
  // With a wrong key, every other request to ElevenLabs would fail for the same reason.
  if (list.kind === 'numbers') {
    for (const id of new Set(known.map(({ agentId }) => agentId))) {
      items.push(await agentItem(api, apiKey, id, signal));
    }
    for (const number of numbers) items.push(numberItem(number, list.listed, known));
  }
  const url = elevenLabsReportUrl(publicUrl, account?.id ?? null);
  if (webhookSecret === null) {
    const detail = `no webhook secret, so no report is accepted, and calls are looked up; the webhook's address is ${url}`;
    items.push({ what: 'reports', ok: true, detail });
  } else {
    const body = JSON.stringify({ type: 'outdial_check' });
    const headers = { 'elevenlabs-signature': signElevenLabs(webhookSecret, body) };
    items.push(await checkReportUrl({ url, body, headers, timeoutMs, signal }));
  }
  return { ok: items.every(({ ok }) => ok), items };
}

async function agentItem(api: ElevenLabsApi, apiKey: string, id: string, signal: AbortSignal): Promise<Item> {
  const answer = await api.get(`/v1/convai/agents/${encodeURIComponent(id)}`, apiKey, signal);
  const ok = answer.kind === 'answer' && answer.status === 200;
  return { what: `agent ${id}`, ok, detail: ok ? 'exists' : why(answer, 'ElevenLabs has no such agent') };
}

function numberItem(
  number: string,
  listed: readonly Record<string, unknown>[],
  settings: readonly ElevenLabsSettings[],
): Item {
  const named = settings.flatMap(({ phoneNumberIds = {} }) => phoneNumberIds[number] ?? [])[0];
  const own = listed.find((one) =>
    named === undefined ? one.phone_number === number : one.phone_number_id === named,
  );
  if (own === undefined) {
    const detail =
      named === undefined
        ? 'not imported into the workspace'
        : 'phoneNumberIds names an id that the workspace does not have';
    return { what: number, ok: false, detail };
  }
  const { provider, supports_outbound: outbound } = own;
  if (outbound === false) return { what: number, ok: false, detail: 'cannot call out' };
  const wanted = new Set(settings.map(({ telephony = 'twilio' }) => telephony));
  if (typeof provider === 'string' && wanted.size === 1 && !wanted.has(provider as 'twilio')) {
    const detail = `is a number of ${provider}, and the agents’ telephony is ${[...wanted].join()}`;
    return { what: number, ok: false, detail };
  }
  return { what: number, ok: true, detail: 'number of the workspace' };
}

function why(answer: JsonAnswer, missing = 'not found'): string {
  if (answer.kind !== 'answer') return `ElevenLabs cannot be reached (${answer.reason})`;
  const { status } = answer;
  if (status === 401 || status === 403) return 'ElevenLabs refuses the key';
  if (status === 404 || status === 422 || status === 400) return missing;
  return status === 200 ? 'ElevenLabs’ answer is unreadable' : `ElevenLabs answered ${status}`;
}
