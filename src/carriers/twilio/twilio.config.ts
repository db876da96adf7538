import { Expose } from 'class-transformer';
import { IsOptional, IsUrl, Matches } from 'class-validator';
import { Secret } from '../../config/secret.decorator.js';
import { HTTP_URL, HTTP_URL_MESSAGE } from '../../config/urls.js';
import { WholeNumber } from '../../config/whole-number.decorator.js';

/** Twilio's environment variables. */
export class TwilioConfig {
  static readonly needs = {
    TWILIO_ACCOUNT_SID: ['TWILIO_AUTH_TOKEN', 'PUBLIC_URL'],
    TWILIO_AUTH_TOKEN: ['TWILIO_ACCOUNT_SID'],
    TWILIO_API_KEY_SID: ['TWILIO_API_KEY_SECRET', 'TWILIO_ACCOUNT_SID'],
    TWILIO_API_KEY_SECRET: ['TWILIO_API_KEY_SID'],
  };

  /** The Twilio account; if it is set, agents may use the carrier `twilio`. */
  @Expose({ name: 'TWILIO_ACCOUNT_SID' })
  @IsOptional()
  @Matches(/^AC[0-9a-f]{32}$/i, { message: 'must be AC and 32 hexadecimal digits' })
  twilioAccountSid?: string;

  /** The account's own token. Twilio signs its callbacks with it, even if an API key makes the requests. */
  @Expose({ name: 'TWILIO_AUTH_TOKEN' })
  @IsOptional()
  @Secret()
  twilioAuthToken?: string;

  /** The API key for requests to Twilio, instead of the account's own token. */
  @Expose({ name: 'TWILIO_API_KEY_SID' })
  @IsOptional()
  @Matches(/^SK[0-9a-f]{32}$/i, { message: 'must be SK and 32 hexadecimal digits' })
  twilioApiKeySid?: string;

  @Expose({ name: 'TWILIO_API_KEY_SECRET' })
  @IsOptional()
  @Secret()
  twilioApiKeySecret?: string;

  /** Calls per second that the account may start; Twilio queues further calls. */
  @Expose({ name: 'TWILIO_CALLS_PER_SECOND' })
  @WholeNumber(1, 1_000)
  twilioCallsPerSecond = 1;

  /** Milliseconds that Twilio may take to answer one request. */
  @Expose({ name: 'TWILIO_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  twilioTimeoutMs = 10_000;

  /** The address of Twilio's API; other regions have other addresses. */
  @Expose({ name: 'TWILIO_API_URL' })
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  twilioApiUrl = 'https://api.twilio.com';
}
