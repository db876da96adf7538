import { type CarrierCheck, type CheckSubject } from '../carrier.js';
import { checkReportUrl } from '../check-report-url.js';
import { type JsonAnswer, recordsIn } from '../json-api.js';
import { instantOfMs, isRecord, numberAt, textAt } from '../report-body.js';
import { type ElevenLabsApi } from './elevenlabs-api.js';
import { type ElevenLabsKeys, type ElevenLabsOptions } from './elevenlabs-options.js';
import { elevenLabsReportUrl } from './elevenlabs-paths.js';
import { type ElevenLabsSettings, elevenLabsSettingsOf } from './elevenlabs-settings.js';
import { signElevenLabs } from './elevenlabs-signature.js';

type Item = CarrierCheck['items'][number];

const RETRY = 'it took the key before, so try again';

/** A failure before that says little of today. */
const STALE_MS = 24 * 3_600_000;

/**
 * Checks the API key, each agent, each number and the address of reports, without a call. The address is requested
 * as ElevenLabs requests it: by its public name, with a signed report that concerns no call.
 */
export async function checkElevenLabs(
  api: ElevenLabsApi,
  { apiKey, webhookSecret }: ElevenLabsKeys,
  { publicUrl, timeoutMs }: Pick<ElevenLabsOptions, 'publicUrl' | 'timeoutMs'>,
  numbers: readonly string[],
  { account = null, settings = [], credentialsSince }: CheckSubject,
  signal: AbortSignal,
): Promise<CarrierCheck> {
  const known = settings.flatMap((one) => elevenLabsSettingsOf(one) ?? []);
  const list = await api.listNumbers(apiKey, signal);
  const mend = account === null ? 'set ELEVENLABS_API_KEY to it' : 'replace the credentials of the account';
  const items: Item[] = [
    list.kind === 'numbers'
      ? { what: 'API key', ok: true, detail: 'ElevenLabs takes it' }
      : {
          what: 'API key',
          ok: false,
          detail: why(list.answer, `copy a key from ElevenLabs’ dashboard, and ${mend}`),
        },
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
    if (list.kind === 'numbers') items.push(await webhookItem(api, apiKey, url, credentialsSince, signal));
  }
  return { ok: items.every(({ ok }) => ok), items };
}

async function agentItem(api: ElevenLabsApi, apiKey: string, id: string, signal: AbortSignal): Promise<Item> {
  const answer = await api.get(`/v1/convai/agents/${encodeURIComponent(id)}`, apiKey, signal);
  const ok = answer.kind === 'answer' && answer.status === 200;
  const missing =
    'ElevenLabs has no such agent: copy its id from ElevenLabs’ dashboard into the agent’s settings';
  return { what: `agent ${id}`, ok, detail: ok ? 'exists' : why(answer, RETRY, missing) };
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
        ? 'not imported into the workspace: import it there, or call from another number'
        : 'phoneNumberIds names an id that the workspace does not have: take it out, so that the id is looked up';
    return { what: number, ok: false, detail };
  }
  const { provider, supports_outbound: outbound } = own;
  if (outbound === false) {
    const detail = 'cannot call out: allow it in ElevenLabs’ dashboard, or call from another number';
    return { what: number, ok: false, detail };
  }
  const wanted = new Set(settings.map(({ telephony = 'twilio' }) => telephony));
  if (typeof provider === 'string' && wanted.size === 1 && !wanted.has(provider as 'twilio')) {
    const detail = `is a number of ${provider}, and the agents’ telephony is ${[...wanted].join()}: change that setting`;
    return { what: number, ok: false, detail };
  }
  return { what: number, ok: true, detail: 'number of the workspace' };
}

/**
 * What ElevenLabs says of the webhook with this account's address. Only a report of its own shows whether its secret
 * is the account's: ElevenLabs keeps how the receiver answered to the last one that failed.
 */
async function webhookItem(
  api: ElevenLabsApi,
  apiKey: string,
  url: string,
  since: Date | undefined,
  signal: AbortSignal,
): Promise<Item> {
  const what = 'webhook';
  const fault = (detail: string): Item => ({ what, ok: false, detail });
  const answer = await api.get('/v1/workspace/webhooks', apiKey, signal);
  const value = answer.kind === 'answer' && answer.status === 200 ? answer.value : null;
  const listed = isRecord(value) ? recordsIn(value.webhooks) : null;
  if (listed === null) {
    const answered = answer.kind === 'answer' ? `ElevenLabs answered ${answer.status}` : answer.reason;
    return { what, ok: true, detail: `not checked, because the key cannot list webhooks (${answered})` };
  }
  const webhook = listed.find((one) => withoutSlash(textAt(one, 'webhook_url') ?? '') === url);
  if (webhook === undefined) {
    return fault(
      `ElevenLabs has none with the address ${url}: create it, and choose it as the post-call webhook of the workspace`,
    );
  }
  if (webhook.is_disabled === true || webhook.is_auto_disabled === true) {
    return fault('is turned off: turn it on in ElevenLabs’ dashboard');
  }
  const failedAt = instantOfMs((numberAt(webhook, 'most_recent_failure_timestamp') ?? 0) * 1_000);
  const isRefused = webhook.most_recent_failure_error_code === 401;
  // In whole seconds.
  const after = Math.max((since?.getTime() ?? 0) - 999, Date.now() - STALE_MS);
  if (isRefused && failedAt !== null && failedAt.getTime() >= after) {
    return fault(
      `its report of ${failedAt.toISOString()} was refused, because it is signed with another secret: replace the webhook secret here by that of this webhook`,
    );
  }
  return { what, ok: true, detail: 'has this address, and no report of it was refused' };
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** @param mend what to do if the key is refused. @param missing if what was asked for is not there. */
function why(answer: JsonAnswer, mend: string, missing = 'ElevenLabs does not find it'): string {
  if (answer.kind !== 'answer') return `ElevenLabs cannot be reached (${answer.reason}): try again later`;
  const { status } = answer;
  if (status === 401 || status === 403) return `ElevenLabs refuses the key: ${mend}`;
  if (status === 404 || status === 422 || status === 400) return missing;
  return status === 200
    ? 'ElevenLabs’ answer is unreadable'
    : `ElevenLabs answered ${status}: try again later`;
}
