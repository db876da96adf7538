import { Injectable } from '@nestjs/common';
import type * as OpenId from 'openid-client';
import { Config } from '../config/config.js';
import { isLoopbackHost } from '../config/loopback.js';

/** A deployment without a provider does not pay for the library. */
const load = () => import('openid-client');

/** All requests of one step together. A person waits for the page. */
const TIMEOUT_SECONDS = 10;
const SUBJECT = /^[^\0]{1,255}$/;
/** The provider's own words of an error, as they may stand in a log. */
const CODE = /^[\w.-]{1,60}$/;

/** What the browser keeps of a sign-in until it comes back. */
export interface OpenIdChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who has signed in at the provider. */
export interface OpenIdIdentity {
  issuer: string;
  subject: string;
  /** As the provider writes it; null: it names none, or has not verified it. */
  verifiedEmail: string | null;
}

/** The provider does not answer, or not as a provider. */
export class ProviderAway extends Error {
  override name = 'ProviderAway';
}

/** The provider's answer proves no identity. The message is for the log, and names no person. */
export class IdentityRefused extends Error {
  override name = 'IdentityRefused';
}

/**
 * The OpenID provider of the configuration: authorization code, PKCE, and identity tokens whose signature is checked.
 * Its discovery document is read when it is first needed, and kept.
 */
@Injectable()
export class OpenIdProvider {
  private discovered: Promise<OpenId.Configuration> | null = null;

  constructor(private readonly config: Config) {}

  get isConfigured(): boolean {
    return this.config.oidcIssuer !== undefined;
  }

  /** Whether accounts of this issuer are those of the provider of the configuration. */
  isIssuer(issuer: string | null): boolean {
    const { oidcIssuer } = this.config;
    return issuer !== null && oidcIssuer !== undefined && sameAddress(issuer, oidcIssuer);
  }

  /**
   * @returns the address at the provider to which the browser goes.
   * @throws ProviderAway
   */
  begin(redirectUri: string): Promise<{ url: string; checks: OpenIdChecks }> {
    return withinTime(async () => {
      const client = await load();
      const configuration = await this.configuration(client);
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        response_type: 'code',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    });
  }

  /**
   * @param callback the address with which the browser came back.
   * @throws ProviderAway; IdentityRefused for every answer that does not hold.
   */
  identityOf(callback: URL, { state, nonce, verifier }: OpenIdChecks): Promise<OpenIdIdentity> {
    return withinTime(async () => {
      const client = await load();
      const configuration = await this.configuration(client);
      try {
        const tokens = await client.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined || !SUBJECT.test(claims.sub)) throw new IdentityRefused('no subject');
        if (!this.isIssuer(claims.iss)) throw new IdentityRefused('another issuer');
        // The address and whether it is verified are read from the same answer.
        const named =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        const { email, email_verified: isVerified } = named;
        const verifiedEmail = typeof email === 'string' && isVerified === true ? email : null;
        return { issuer: claims.iss, subject: claims.sub, verifiedEmail };
      } catch (error) {
        if (error instanceof IdentityRefused || isAway(error)) throw error;
        throw new IdentityRefused(reasonOf(error));
      }
    });
  }

  /** A failure is not kept: the next sign-in asks again. */
  private configuration(client: typeof OpenId): Promise<OpenId.Configuration> {
    this.discovered ??= this.discover(client).catch((error: unknown) => {
      this.discovered = null;
      throw new ProviderAway(`discovery: ${reasonOf(error)}`);
    });
    return this.discovered;
  }

  private async discover(client: typeof OpenId): Promise<OpenId.Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.config;
    if (oidcIssuer === undefined || oidcClientId === undefined || oidcClientSecret === undefined) {
      throw new Error('no OpenID provider is configured');
    }
    const issuer = new URL(oidcIssuer);
    const isLocal = issuer.protocol === 'http:' && isLoopbackHost(issuer.hostname);
    const [basic, post] = [
      client.ClientSecretBasic(oidcClientSecret),
      client.ClientSecretPost(oidcClientSecret),
    ];
    const configuration = await client.discovery(
      issuer,
      oidcClientId,
      {},
      // `client_secret_basic` is what a provider takes that names nothing.
      (server, ...rest) =>
        (server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false
          ? post
          : basic)(server, ...rest),
      {
        timeout: TIMEOUT_SECONDS,
        execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
      },
    );
    // The library lets some providers name an issuer for all of their customers.
    if (!this.isIssuer(configuration.serverMetadata().issuer)) throw new Error('another issuer');
    return configuration;
  }
}

const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;

/** @throws ProviderAway when the time is over, and for what the work throws because the provider is away. */
async function withinTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderAway('no answer in time')), TIMEOUT_SECONDS * 1_000);
  });
  try {
    return await Promise.race([work(), over]);
  } catch (error) {
    if (!(error instanceof ProviderAway) && isAway(error)) throw new ProviderAway(reasonOf(error));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the provider did not answer, or with a failure of its own. */
function isAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (error instanceof ProviderAway) return true;
  const { name, message, status, cause } = error as Partial<Error> & { status?: unknown; cause?: unknown };
  if (name === 'TimeoutError' || (name === 'TypeError' && message === 'fetch failed')) return true;
  if (typeof status === 'number' && status >= 500) return true;
  return cause !== undefined && isAway(cause);
}

/** A code of the library or of the provider; never its text, which may name a person. */
function reasonOf(error: unknown): string {
  const { error: told, code, name } = error as { error?: unknown; code?: unknown; name?: unknown };
  const found = [told, code, name].find((value) => typeof value === 'string' && CODE.test(value));
  return typeof found === 'string' ? found : 'unknown';
}
