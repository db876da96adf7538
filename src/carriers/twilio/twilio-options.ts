import { type Config } from '../../config/config.js';
import { type TwilioConfig } from './twilio.config.js';

/** The configuration that the Twilio carrier needs. */
export interface TwilioOptions {
  accountSid: string;
  /** Twilio signs its callbacks with this token, even if requests are made with the API key. */
  authToken: string;
  /**
   * The credentials of requests, instead of the account's own token. Only the check of the account is made
   * with the token.
   */
  apiKey?: { sid: string; secret: string };
  /** The base URL of Twilio's API, without a path. */
  apiUrl: string;
  /** The deployment's public URL, without a slash at its end. */
  publicUrl: string;
  callsPerSecond: number;
  /** The longest duration of a call, in seconds. */
  timeLimitSeconds: number;
  /** The longest duration of one request, in ms. */
  timeoutMs: number;
}

/** Null if the deployment does not use Twilio. */
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
