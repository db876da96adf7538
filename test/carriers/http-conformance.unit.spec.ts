import { HttpCarrier } from '../../src/carriers/http/http.carrier.js';
import { describeConformance } from './conformance.js';
import { standOf } from './stand.js';
import { type WellBehaved } from './fault-server.js';
import { HTTP_SECRET } from './support.js';

/** A runtime that takes every call, and knows those that it took. */
function runtime(): WellBehaved {
  const taken = new Set<string>();
  return ({ method, path, body }) => {
    const [, hungUp] = /\/calls\/([^/]+)\/hang-up$/.exec(path) ?? [];
    if (hungUp !== undefined) return { status: taken.has(hungUp) ? 202 : 409, body: {} };
    if (method === 'POST') {
      const { callRequestId } = JSON.parse(body) as { callRequestId: string };
      taken.add(callRequestId);
      return { status: 202, body: { carrierCallId: `line-${callRequestId}` } };
    }
    const callRequestId = path.split('/').at(-1) ?? '';
    if (!taken.has(callRequestId)) return { status: 404, body: { error: 'no such call' } };
    return {
      status: 200,
      body: {
        callRequestId,
        carrierCallId: `line-${callRequestId}`,
        status: 'in_progress',
        at: new Date().toISOString(),
      },
    };
  };
}

const SUBJECT = {
  isDial: ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/calls',
  refusal: { status: 422, body: { refused: 'no_such_line' } },
  unauthorized: 'unknown' as const,
  secrets: [HTTP_SECRET, HTTP_SECRET.slice(6)],
};
const options = { secret: HTTP_SECRET, publicUrl: 'https://outdial.example.com', allowPrivate: true };

describeConformance('http, at the deployment’s URL', () =>
  standOf({
    ...SUBJECT,
    wellBehaved: runtime(),
    make: (url, timeoutMs) => new HttpCarrier({ ...options, url: `${url}/calls`, timeoutMs }),
  }),
);

describeConformance('http, at the agent’s own URL', () => {
  const agentsOwn: Record<string, unknown> = {};
  return standOf({
    ...SUBJECT,
    wellBehaved: runtime(),
    carrierSettings: agentsOwn,
    make: (url, timeoutMs) => {
      agentsOwn.url = `${url}/calls`;
      return new HttpCarrier({ ...options, timeoutMs });
    },
  });
});
