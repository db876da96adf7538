import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/*
 * An OpenID provider, in a process of its own. Whoever comes is signed in as the account that was named last at
 * `/as?sub=…&email=…&verified=…`. Arguments: the id and secret of its client, and the client's redirect URI. Writes its
 * address to the standard output.
 */
const [clientId, clientSecret, redirectUri] = process.argv.slice(2);
const accounts = new Map();
let current = '';

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  cookies: { keys: ['of this test'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) }),
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope('openid email');
    await grant.save();
    return grant;
  },
});
const callback = provider.callback();

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, issuer);
  if (pathname === '/as') {
    current = searchParams.get('sub');
    accounts.set(current, {
      email: searchParams.get('email'),
      email_verified: searchParams.get('verified') === 'true',
    });
    response.end();
  } else if (pathname.startsWith('/interaction/')) {
    await provider.interactionFinished(request, response, { login: { accountId: current } });
  } else {
    callback(request, response);
  }
}

console.log(issuer);
