import { type CarrierCheck } from '../carrier.js';
import { type TwilioAnswer, type TwilioApi } from './twilio-api.js';

type CheckItem = CarrierCheck['items'][number];

/**
 * Checks that the account answers and is active, and that each number may be a caller ID. Places no call. The
 * account is requested with the auth token, because Twilio signs with this token, and an API key cannot
 * replace it.
 */
export async function checkTwilio(
  api: TwilioApi,
  accountSid: string,
  numbers: readonly string[],
  signal: AbortSignal,
): Promise<CarrierCheck> {
  const answer = await api.ask(signal, (client) => client.api.v2010.accounts(accountSid).fetch(), 'account');
  const account = accountItem(answer);
  // Without an account, the check of each number would fail for the same reason.
  const items = account.ok ? [account, ...(await numberItems(api, numbers, signal))] : [account];
  return { ok: items.every(({ ok }) => ok), items };
}

function accountItem(answer: TwilioAnswer<{ status: string; type: string }>): CheckItem {
  const what = 'account';
  if (answer.kind !== 'ok') return { what, ok: false, detail: whyNot(answer) };
  const { status, type } = answer.value;
  return { what, ok: status === 'active', detail: `${status}, ${type}` };
}

/** Checks the numbers one by one, because Twilio limits concurrent requests. */
async function numberItems(
  api: TwilioApi,
  numbers: readonly string[],
  signal: AbortSignal,
): Promise<CheckItem[]> {
  const items: CheckItem[] = [];
  for (const number of numbers) items.push(await numberItem(api, number, signal));
  return items;
}

async function numberItem(api: TwilioApi, phoneNumber: string, signal: AbortSignal): Promise<CheckItem> {
  const own = await api.ask(signal, (client) =>
    client.incomingPhoneNumbers.page({ phoneNumber, pageSize: 1 }),
  );
  if (own.kind !== 'ok') return { what: phoneNumber, ok: false, detail: whyNot(own) };
  const [incoming] = own.value.instances;
  if (incoming !== undefined) {
    const voice = (incoming.capabilities as { voice?: boolean } | null)?.voice !== false;
    return { what: phoneNumber, ok: voice, detail: voice ? 'number of the account' : 'number without voice' };
  }
  const verified = await api.ask(signal, (client) =>
    client.outgoingCallerIds.page({ phoneNumber, pageSize: 1 }),
  );
  if (verified.kind !== 'ok') return { what: phoneNumber, ok: false, detail: whyNot(verified) };
  const ok = verified.value.instances.length > 0;
  return {
    what: phoneNumber,
    ok,
    detail: ok ? 'verified caller ID' : 'neither a number nor a verified caller ID',
  };
}

function whyNot(answer: Exclude<TwilioAnswer<unknown>, { kind: 'ok' }>): string {
  if (answer.kind !== 'error') return answer.reason;
  const { status, code } = answer;
  if (status === 401 || status === 403) return 'Twilio refuses these credentials';
  return code === null ? `HTTP ${status}` : `HTTP ${status}, Twilio error ${code}`;
}
