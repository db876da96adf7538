import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { CLIENT } from './organization.js';

const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What the provider says of a sign-in, in place of the truth. */
export interface Lie {
  claims?: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  foreignKey?: boolean;
  /** Names no algorithm and signs nothing. */
  unsigned?: boolean;
  /** The status of the answer with the token. */
  status?: number;
}

/** An OpenID provider whose tokens say what a test wants. */
export class Liar {
  private readonly own = keys();
  private readonly foreign = keys();
  private readonly server: Server;
  /** What the next token says, by its code. */
  private readonly codes = new Map<string, { nonce: string; lie: Lie }>();
  private made = 0;
  /** How often its discovery document was read. */
  discoveries = 0;
  /** The issuer that the discovery document names; null: its own. */
  namedIssuer: string | null = null;
  issuer = '';

  constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { status, json } = this.answer(request.url ?? '', new URLSearchParams(body));
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
      });
    });
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /**
   * @param location the address to which Outdial has sent the browser.
   * @returns the path and query with which it comes back.
   */
  visit(location: string, lie: Lie = {}): string {
    const { searchParams } = new URL(location);
    this.made += 1;
    const code = `code-${this.made}`;
    this.codes.set(code, { nonce: searchParams.get('nonce') ?? '', lie });
    const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' });
    return `/login/oidc/callback?${query.toString()}`;
  }

  private answer(url: string, body: URLSearchParams): { status: number; json: object } {
    if (url === '/.well-known/openid-configuration') {
      this.discoveries += 1;
      return { status: 200, json: this.document() };
    }
    if (url === '/jwks') {
      const jwk = this.own.publicKey.export({ format: 'jwk' });
      return { status: 200, json: { keys: [{ ...jwk, kid: 'one', alg: 'RS256', use: 'sig' }] } };
    }
    const code = body.get('code') ?? '';
    const told = this.codes.get(code);
    this.codes.delete(code);
    if (url !== '/token' || told === undefined) return { status: 400, json: { error: 'invalid_grant' } };
    if (told.lie.status !== undefined) return { status: told.lie.status, json: {} };
    const token = this.token(told.nonce, told.lie);
    return { status: 200, json: { access_token: 'x', token_type: 'Bearer', id_token: token } };
  }

  private document() {
    const { issuer } = this;
    return {
      issuer: this.namedIssuer ?? issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  private token(nonce: string, { claims, foreignKey = false, unsigned = false }: Lie): string {
    const now = Math.floor(Date.now() / 1_000);
    const truth = { iss: this.issuer, aud: CLIENT.oidcClientId, sub: 'one', nonce, iat: now, exp: now + 60 };
    const header = unsigned ? { alg: 'none' } : { alg: 'RS256', kid: 'one' };
    const text = `${part(header)}.${part({ ...truth, ...claims })}`;
    if (unsigned) return `${text}.`;
    const { privateKey } = foreignKey ? this.foreign : this.own;
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }
}
