import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The client that the provider knows. */
export const CLIENT = { oidcClientId: 'outdial', oidcClientSecret: 'hush-the-secret-of-the-client' };
export const PUBLIC_URL = 'http://outdial.test';
const CALLBACK = `${PUBLIC_URL}/login/oidc/callback`;

/** An `oidc-provider` on loopback, and the browser of a person there. */
export class Organization {
  private constructor(
    readonly issuer: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param redirectUri where its client lets it send browsers. */
  static async start(redirectUri = CALLBACK): Promise<Organization> {
    const script = join(__dirname, 'organization-process.mjs');
    const child = spawn(
      process.execPath,
      [script, CLIENT.oidcClientId, CLIENT.oidcClientSecret, redirectUri],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return new Organization(line.toString().trim(), child);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.kill();
    await ended;
  }

  /** Who signs in from now on. */
  async as(sub: string, email: string, isVerified = true): Promise<void> {
    const query = new URLSearchParams({ sub, email, verified: String(isVerified) });
    await fetch(`${this.issuer}/as?${query.toString()}`);
  }

  /**
   * Follows a browser through the provider.
   * @param location the address to which Outdial has sent it.
   * @returns the path and query with which it comes back to Outdial.
   */
  async visit(location: string): Promise<string> {
    const cookies = new Map<string, string>();
    let url = location;
    for (let steps = 0; steps < 10; steps += 1) {
      if (url.startsWith(PUBLIC_URL)) return url.slice(PUBLIC_URL.length);
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      await answer.body?.cancel();
      url = new URL(next, url).href;
    }
    throw new Error(`${location} does not lead back`);
  }
}
