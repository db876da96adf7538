import { type Config } from '../../config/config.js';
import { type TwilioConfig } from './twilio.config.js';

/** The configuration that the Twilio carrier needs. */
export interface TwilioOptions {
  accountSid: string;
  /** Also what Twilio signs its callbacks with, whichever credentials make the requests. */
  authToken: string;
  /** Makes the requests instead of the account's own token. */
  apiKey?: { sid: string; secret: string };
  /** Where Twilio's API is, without a path. */
  apiUrl: string;
  /** The deployment's own address as Twilio sees it, without a slash at its end. */
  publicUrl: string;
  callsPerSecond: number;
  /** No call may last longer, in seconds. */
  timeLimitSeconds: number;
  /** How long one request may take. */
  timeoutMs: number;
}

/** Null where the deployment does not use Twilio. */
export function twilioOptionsOf(config: Config & TwilioConfig): TwilioOptions | null {
  const { twilioAccountSid: accountSid, twilioAuthToken: authToken, publicUrl } = config;
  if (accountSid === undefined || authToken === undefined || publicUrl === undefined) return null;
  const { twilioApiKeySid: sid, twilioApiKeySecret: secret } = config;
  return {
    accountSid,
    authToken,
    ...(sid !== undefined && secret !== undefined && { apiKey: { sid, secret } }),
    apiUrl: config.twilioApiUrl,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    callsPerSecond: config.twilioCallsPerSecond,
    timeLimitSeconds: config.callTimeLimitSeconds,
    timeoutMs: config.twilioTimeoutMs,
  };
}
