import { Expose } from 'class-transformer';
import { IsOptional, IsUrl, Matches } from 'class-validator';
import { SecretOfShape } from '../../config/secret.decorator.js';
import { IN_PRIVATE_NETWORKS } from '../../config/urls.js';
import { WholeNumber } from '../../config/whole-number.decorator.js';

const KEY = /^[\x21-\x7e]{1,200}$/;
/** The secret is chosen in LiveKit's configuration, and may be short. */
const SECRET = /^[\x21-\x7e]{6,500}$/;
const NAME = /^[\x21-\x7e]{1,100}$/;
const NAME_MESSAGE = 'must be 1 to 100 printable ASCII characters without spaces';

export const LIVEKIT_REQUIRED = ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'];

/** LiveKit's environment variables. */
export class LiveKitConfig {
  static readonly needs = Object.fromEntries(LIVEKIT_REQUIRED.map((name) => [name, LIVEKIT_REQUIRED]));

  /** LiveKit's server; unset: this deployment has no carrier `livekit`. */
  @Expose({ name: 'LIVEKIT_URL' })
  @IsOptional()
  @IsUrl(
    { ...IN_PRIVATE_NETWORKS, protocols: ['https', 'wss', 'http', 'ws'] },
    { message: 'must be an https:// or wss:// URL' },
  )
  livekitUrl?: string;

  /** The key and the secret of requests to LiveKit; LiveKit signs its webhooks with them. */
  @Expose({ name: 'LIVEKIT_API_KEY' })
  @IsOptional()
  @Matches(KEY, { message: 'must be 1 to 200 printable ASCII characters without spaces' })
  livekitApiKey?: string;

  @Expose({ name: 'LIVEKIT_API_SECRET' })
  @IsOptional()
  @SecretOfShape(SECRET, 'must be 6 to 500 printable ASCII characters without spaces')
  livekitApiSecret?: string;

  /** The outbound trunk and the LiveKit agent for voice agents whose settings do not name them. */
  @Expose({ name: 'LIVEKIT_SIP_TRUNK_ID' })
  @IsOptional()
  @Matches(NAME, { message: NAME_MESSAGE })
  livekitSipTrunkId?: string;

  @Expose({ name: 'LIVEKIT_AGENT_NAME' })
  @IsOptional()
  @Matches(NAME, { message: NAME_MESSAGE })
  livekitAgentName?: string;

  /** Calls per second, from all workers together; unset: no limit. */
  @Expose({ name: 'LIVEKIT_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 1000)
  livekitCallsPerSecond?: number;

  /**
   * Milliseconds that all requests of one dial may take in total. LiveKit answers the request that dials only
   * after its SIP service has joined the room, which takes seconds.
   */
  @Expose({ name: 'LIVEKIT_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  livekitTimeoutMs = 15_000;
}
