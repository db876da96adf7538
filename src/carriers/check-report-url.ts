import { type CarrierCheck } from './carrier.js';
import { sendOnce } from './send-once.js';

/** One request to an address of this deployment, as a platform would send it. */
export interface ReportUrlCheck {
  /** Below `PUBLIC_URL`. */
  url: string;
  /** A signed report that concerns no call. */
  body: string;
  headers: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Requests the address of reports by its public name, and tells whether it takes a signed report. */
export async function checkReportUrl({
  url,
  body,
  headers,
  timeoutMs,
  signal,
}: ReportUrlCheck): Promise<CarrierCheck['items'][number]> {
  const what = 'reports';
  const answer = await sendOnce({
    method: 'POST',
    url: new URL(url),
    body,
    headers: { 'user-agent': 'Outdial', ...headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    sendWithinMs: timeoutMs,
  });
  if (answer.kind !== 'answer') {
    const detail = `${url} cannot be reached (${answer.reason}): set PUBLIC_URL to the address at which the platform reaches the API`;
    return { what, ok: false, detail };
  }
  if (answer.status === 200) return { what, ok: true, detail: `${url} takes signed reports` };
  const refusal =
    answer.status === 401
      ? 'refuses the signature: give the API the same key as this process, and set PUBLIC_URL to the address of this deployment'
      : `answers ${answer.status}: set PUBLIC_URL to the address of the API, and let the proxy pass the path on`;
  return { what, ok: false, detail: `${url} ${refusal}` };
}
