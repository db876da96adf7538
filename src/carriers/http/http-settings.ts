import { namesPrivateAddress } from '../../http/address-guard.js';
import { type AgentSettingField } from '../agent-setting-field.js';
import { type CarrierSettings } from '../carrier.js';

const LONGEST_URL = 2_000;

/** The settings in forms. */
export const HTTP_SETTINGS: readonly AgentSettingField[] = [
  {
    name: 'url',
    label: 'URL of the voice runtime',
    hint: 'An https:// URL, to which calls are sent. Empty: that of the deployment, if it has one.',
    kind: { type: 'text' },
  },
];

/** The URL to which the carrier sends an agent's calls, or a message that says why the URL is invalid. */
export type CallsUrl = { ok: true; url: URL } | { ok: false; message: string };

/** `allowPrivate` permits private networks and `http:`. `defaultUrl` applies to agents that set no URL. */
export interface UrlRules {
  allowPrivate: boolean;
  defaultUrl: string | undefined;
}

/**
 * Reads an agent's `carrierSettings`. An agent without `url` uses the deployment's URL, if there is one.
 * Messages name a known field, and contain neither an unknown field nor a value.
 */
export function readHttpSettings(settings: CarrierSettings, rules: UrlRules): CallsUrl {
  const stranger = Object.keys(settings).find((key) => key !== 'url');
  if (stranger !== undefined) {
    return {
      ok: false,
      message: 'carrierSettings has a field that the carrier http does not know; it knows url',
    };
  }
  if (settings.url !== undefined)
    return readCallsUrl(settings.url, 'carrierSettings.url', rules.allowPrivate);
  if (rules.defaultUrl === undefined) {
    return { ok: false, message: 'carrierSettings.url is required, because HTTP_CARRIER_URL is not set' };
  }
  return readCallsUrl(rules.defaultUrl, 'HTTP_CARRIER_URL', rules.allowPrivate);
}

/** @param name the field or variable that the message names. */
export function readCallsUrl(value: unknown, name: string, allowPrivate: boolean): CallsUrl {
  const no = (predicate: string): CallsUrl => ({ ok: false, message: `${name} ${predicate}` });
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  const expected = allowPrivate ? 'must be an https:// or http:// URL' : 'must be an https:// URL';
  if (typeof value !== 'string' || value.length > LONGEST_URL) return no(expected);
  if (!URL.canParse(value)) return no(expected);
  const url = new URL(value);
  if (!schemes.includes(url.protocol)) return no(expected);
  if (url.username !== '' || url.password !== '') return no('must have no user and no password');
  if (!allowPrivate && namesPrivateAddress(url)) return no('must not lead into a private network');
  url.hash = '';
  return { ok: true, url };
}
