import { ElevenLabsCarrier } from '../../src/carriers/elevenlabs/elevenlabs.carrier.js';
import { ELEVENLABS_KEY, ELEVENLABS_SECRET } from '../../tools/fake-carriers/fake-elevenlabs.js';
import { describeConformance } from './conformance.js';
import { ELEVENLABS_SETTINGS, elevenLabsOptions } from './elevenlabs/elevenlabs-options.js';
import { type WellBehaved } from './fault-server.js';
import { standOf } from './stand.js';
import { aDial } from './support.js';

const NO_CALL = { status: 404, body: { detail: { status: 'conversation_not_found', message: 'None.' } } };

/** What ElevenLabs answers; it knows the conversations that were begun. */
function elevenLabsApi(): WellBehaved {
  const conversations: { conversation_id: string; user_id: string }[] = [];
  return ({ method, path, body }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://elevenlabs');
    if (pathname.endsWith('/phone-numbers')) {
      return { status: 200, body: [{ phone_number_id: 'phnum_1', phone_number: aDial().from }] };
    }
    if (method === 'POST') {
      const { conversation_initiation_client_data: data } = JSON.parse(body) as {
        conversation_initiation_client_data: { user_id: string };
      };
      const conversation = {
        conversation_id: `conv_${conversations.length}`,
        status: 'initiated',
        user_id: data.user_id,
        conversation_initiation_client_data: data,
      };
      conversations.push(conversation);
      const { conversation_id } = conversation;
      return { status: 200, body: { success: true, message: 'Success', conversation_id, callSid: 'CA1' } };
    }
    if (pathname.endsWith('/conversations')) {
      const listed = conversations.filter(({ user_id }) => user_id === query.get('user_id'));
      return { status: 200, body: { conversations: listed, has_more: false } };
    }
    const known = conversations.find(({ conversation_id: id }) => pathname.endsWith(`/${id}`));
    if (known && method === 'DELETE') {
      conversations.splice(conversations.indexOf(known), 1);
      return { status: 200, body: {} };
    }
    return known ? { status: 200, body: known } : NO_CALL;
  };
}

const subject = () => ({
  isDial: ({ path }: { path: string }) => path.endsWith('/outbound-call'),
  refusal: { status: 422, body: { detail: [{ loc: ['body'], msg: '+14155550100 is invalid', type: 'x' }] } },
  // Only ElevenLabs' own 401, in its form, says that nothing was dialed.
  unauthorized: 'unknown' as const,
  secrets: [ELEVENLABS_KEY, ELEVENLABS_SECRET],
  unknownCall: 'conv_777',
  wellBehaved: elevenLabsApi(),
  make: (url: string, timeoutMs: number) => new ElevenLabsCarrier(elevenLabsOptions(url, { timeoutMs })),
  // On a busy machine, a connection may take some hundred milliseconds.
  timeoutMs: 2_500,
});

describeConformance('elevenlabs', () => standOf({ ...subject(), carrierSettings: ELEVENLABS_SETTINGS }));

describeConformance('elevenlabs by a SIP trunk, with ids of numbers in the settings', () =>
  standOf({
    ...subject(),
    carrierSettings: {
      ...ELEVENLABS_SETTINGS,
      telephony: 'sip_trunk',
      phoneNumberIds: { [aDial().from]: 'phnum_1' },
    },
  }),
);
