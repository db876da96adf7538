/** Hosts need no top-level domain, and in Docker their names often have underscores. */
export const IN_PRIVATE_NETWORKS = { require_tld: false, require_protocol: true, allow_underscores: true };

export const POSTGRES_URL = { ...IN_PRIVATE_NETWORKS, protocols: ['postgres', 'postgresql'] };
export const POSTGRES_URL_MESSAGE = 'must be a postgres:// URL';

export const HTTP_URL = { ...IN_PRIVATE_NETWORKS, protocols: ['http', 'https'] };
export const HTTP_URL_MESSAGE = 'must be an http:// or https:// URL';
