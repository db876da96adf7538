import { Expose } from 'class-transformer';
import { IsOptional, IsUrl } from 'class-validator';
import { Flag } from '../../config/flag.decorator.js';
import { SecretOfShape } from '../../config/secret.decorator.js';
import { HTTP_URL, HTTP_URL_MESSAGE } from '../../config/urls.js';
import { WholeNumber } from '../../config/whole-number.decorator.js';

/** A secret of Standard Webhooks is `whsec_` and the base64 of 24 to 64 bytes. */
const QUAD = '(?:[A-Za-z0-9+/]{4})';
const TWO = '[A-Za-z0-9+/]{2}==';
const THREE = '[A-Za-z0-9+/]{3}=';
const SIGNING_SECRET = `whsec_(?:${QUAD}{8,20}(?:${TWO}|${THREE})?|${QUAD}{21}(?:${TWO})?)`;
const SIGNING_SECRETS = new RegExp(`^${SIGNING_SECRET}(?:,${SIGNING_SECRET})*$`);

/** The HTTP carrier's environment variables. */
export class HttpCarrierConfig {
  /** The URL to which calls are sent; unset: each agent has its own `carrierSettings.url`. */
  @Expose({ name: 'HTTP_CARRIER_URL' })
  @IsOptional()
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  httpCarrierUrl?: string;

  /**
   * Signs requests and reports. It holds several secrets during a rotation: all of them sign, and any of them
   * is accepted.
   */
  @Expose({ name: 'HTTP_CARRIER_SECRET' })
  @IsOptional()
  @SecretOfShape(
    SIGNING_SECRETS,
    'must be whsec_ and 24 to 64 bytes in base64, or several of these with commas between',
  )
  httpCarrierSecret?: string;

  /** Whether the carrier may reach private networks and this host, also without TLS. */
  @Expose({ name: 'HTTP_CARRIER_ALLOW_PRIVATE' })
  @Flag()
  httpCarrierAllowPrivate = false;

  /** Milliseconds that a runtime may take to answer. */
  @Expose({ name: 'HTTP_CARRIER_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  httpCarrierTimeoutMs = 10_000;

  /** Calls per second, from all workers together; unset: no limit. */
  @Expose({ name: 'HTTP_CARRIER_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 10_000)
  httpCarrierCallsPerSecond?: number;
}
