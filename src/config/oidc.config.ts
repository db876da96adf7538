import { Expose } from 'class-transformer';
import { IsOptional, IsUrl, Matches, ValidateBy } from 'class-validator';
import { isLoopbackHost } from './loopback.js';
import { type Problems } from './problems.js';
import { SecretOfShape } from './secret.decorator.js';
import { HTTP_URL } from './urls.js';

const VARIABLES = {
  OIDC_ISSUER: 'oidcIssuer',
  OIDC_CLIENT_ID: 'oidcClientId',
  OIDC_CLIENT_SECRET: 'oidcClientSecret',
};

/** Only a provider on this machine may be asked without encryption. */
const isSafe = (value: unknown): boolean =>
  typeof value !== 'string' ||
  !URL.canParse(value) ||
  !value.startsWith('http:') ||
  isLoopbackHost(new URL(value).hostname);

/** The OpenID provider of the organization, where people can sign in without a password of Outdial's. */
export class OidcConfig {
  /** The issuer's identifier. Its discovery document is below it. If it is unset, people sign in with passwords only. */
  @Expose({ name: 'OIDC_ISSUER' })
  @IsOptional()
  @IsUrl(HTTP_URL, { message: 'must be an https:// URL' })
  @Matches(/^[^?#@]*$/, { message: 'must have no credentials and no query' })
  @ValidateBy({
    name: 'encrypted',
    validator: {
      validate: isSafe,
      defaultMessage: () => 'must be an https:// URL; http:// is only for this machine',
    },
  })
  oidcIssuer?: string;

  /** The name under which the provider knows this deployment. */
  @Expose({ name: 'OIDC_CLIENT_ID' })
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,500}$/, { message: 'must be 1 to 500 printable ASCII characters without spaces' })
  oidcClientId?: string;

  /** The secret of that client, from the provider. */
  @Expose({ name: 'OIDC_CLIENT_SECRET' })
  @IsOptional()
  @SecretOfShape(/^[\x21-\x7e]{8,500}$/, 'must be 8 to 500 printable ASCII characters without spaces')
  oidcClientSecret?: string;
}

/** All three, or none. @param optional variables that the reader does not need. */
export function checkOidc(config: OidcConfig, optional: ReadonlySet<string>, problems: Problems): void {
  const entries = Object.entries(VARIABLES) as [string, keyof OidcConfig][];
  const set = entries.find(([, property]) => config[property] !== undefined);
  if (set === undefined || entries.some(([name]) => problems.has(name))) return;
  for (const [name, property] of entries) {
    if (config[property] === undefined && !optional.has(name))
      problems.set(name, `${name}: is not set; ${set[0]} needs it`);
  }
}
