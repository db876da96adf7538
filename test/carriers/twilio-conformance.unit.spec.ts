import { TwilioApi } from '../../src/carriers/twilio/twilio-api.js';
import { TwilioCarrier } from '../../src/carriers/twilio/twilio.carrier.js';
import { warmUpTwiml } from '../../src/carriers/twilio/twiml.js';
import { describeConformance } from './conformance.js';
import { standOf } from './stand.js';
import { type WellBehaved } from './fault-server.js';
import { ACCOUNT_SID, AUTH_TOKEN, rfc2822 } from '../../tools/fake-carriers/fake-twilio.js';
import { RELAY, twilioOptions } from './twilio/twilio-options.js';

const CALLS = `/2010-04-01/Accounts/${ACCOUNT_SID}/Calls`;

/** What Twilio answers; it knows the calls that were dialed. */
function twilioApi(): WellBehaved {
  const calls: Record<string, string | null>[] = [];
  return ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://twilio');
    const form = new URLSearchParams(body);
    if (method === 'POST' && pathname !== `${CALLS}.json`) {
      const call = calls.find(({ sid }) => pathname === `${CALLS}/${sid}.json`);
      if (call === undefined)
        return { status: 404, body: { code: 20404, message: 'not found', status: 404 } };
      if (call.status !== 'queued') {
        return { status: 400, body: { code: 21220, message: 'not in progress', status: 400 } };
      }
      call.status = form.get('Status');
      return { status: 200, body: call };
    }
    if (method === 'POST') {
      const call = {
        sid: `CA${String(calls.length).padStart(32, '0')}`,
        status: 'queued',
        direction: 'outbound-api',
        to: form.get('To'),
        from: form.get('From'),
        date_created: rfc2822(new Date()),
      };
      calls.push(call);
      return { status: 201, body: call };
    }
    if (pathname === `${CALLS}.json`) {
      const listed = calls.filter(({ to }) => to === searchParams.get('To'));
      return { status: 200, body: { calls: listed, next_page_uri: null } };
    }
    const call = calls.find(({ sid }) => pathname === `${CALLS}/${sid}.json`);
    if (call) return { status: 200, body: call };
    return { status: 404, body: { code: 20404, message: 'not found', status: 404 } };
  };
}

describeConformance('twilio', () =>
  standOf({
    async make(url, timeoutMs) {
      // As `start` does, but waited for: its patience here is shorter than the SDK takes to load.
      await Promise.all([new TwilioApi(twilioOptions(url)).warmUp(), warmUpTwiml()]);
      return new TwilioCarrier(twilioOptions(url, { timeoutMs }));
    },
    isDial: ({ method, path }) => method === 'POST' && path === `${CALLS}.json`,
    wellBehaved: twilioApi(),
    unknownCall: `CA${'7'.repeat(32)}`,
    refusal: {
      status: 400,
      body: { code: 21211, message: 'The number +14155550100 is not valid', status: 400 },
    },
    // Only Twilio's own 401, with its code, says that nothing was dialed.
    unauthorized: 'unknown',
    secrets: [AUTH_TOKEN, ACCOUNT_SID],
    carrierSettings: RELAY,
    // On a busy machine, the SDK may need some hundred milliseconds to send a request.
    timeoutMs: 1_500,
  }),
);
