import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { placeCallBounded } from '../../src/carriers/bounded.js';
import { type Carrier, type CarrierEvent, type PlaceCallResult } from '../../src/carriers/carrier.js';
import {
  callRequestOf as conversationCallRequestOf,
  conversationEvent,
  failureEvent,
} from '../../src/carriers/elevenlabs/elevenlabs-call.js';
import { isSignedByElevenLabs } from '../../src/carriers/elevenlabs/elevenlabs-signature.js';
import { ElevenLabsCarrier } from '../../src/carriers/elevenlabs/elevenlabs.carrier.js';
import { LiveKitWebhooks } from '../../src/carriers/livekit/livekit-webhooks.js';
import { isSignedByRetell } from '../../src/carriers/retell/retell-signature.js';
import { callRequestOf, type RetellCall, retellEvent } from '../../src/carriers/retell/retell-call.js';
import { RetellCarrier } from '../../src/carriers/retell/retell.carrier.js';
import { callRequestOf as vapiCallRequestOf, vapiEvent } from '../../src/carriers/vapi/vapi-call.js';
import { callOfSecret } from '../../src/carriers/vapi/vapi-secret.js';
import { VapiCarrier } from '../../src/carriers/vapi/vapi.carrier.js';
import { SimulatorEngine } from '../../src/carriers/simulator/engine.js';
import { type SimulatorOutcome } from '../../src/carriers/simulator/rules.js';
import { TwilioCallbacks, type TwilioForm } from '../../src/carriers/twilio/twilio-callbacks.js';
import { TwilioCarrier } from '../../src/carriers/twilio/twilio.carrier.js';
import { ELEVENLABS_KEY, ELEVENLABS_SECRET } from '../../tools/fake-carriers/fake-elevenlabs.js';
import { API_KEY, API_SECRET } from '../../tools/fake-carriers/fake-livekit.js';
import { RETELL_KEY } from '../../tools/fake-carriers/fake-retell.js';
import { playElevenLabs } from '../../tools/fake-carriers/play-elevenlabs.js';
import { playLiveKit } from '../../tools/fake-carriers/play-livekit.js';
import { playRetell } from '../../tools/fake-carriers/play-retell.js';
import { playTwilio } from '../../tools/fake-carriers/play-twilio.js';
import { VAPI_KEY } from '../../tools/fake-carriers/fake-vapi.js';
import { playVapi } from '../../tools/fake-carriers/play-vapi.js';
import { type Play, type PlayedCarrier } from '../../tools/fake-carriers/played-calls.js';
import { CarrierProxy } from '../../tools/faults/carrier-proxy.js';
import { freePort } from '../../tools/services/ports.js';
import { eventually } from '../support/eventually.js';
import { carrierAt } from '../carriers/livekit/support.js';
import { callRequestId, FAST } from '../carriers/support.js';
import { ELEVENLABS_SETTINGS, elevenLabsOptions } from '../carriers/elevenlabs/elevenlabs-options.js';
import { RETELL_SETTINGS, retellOptions } from '../carriers/retell/retell-options.js';
import { VAPI_SETTINGS, vapiOptions } from '../carriers/vapi/vapi-options.js';
import { twilioDial, twilioOptions } from '../carriers/twilio/twilio-options.js';

/*
 * The carriers that the fault harness plays, without faults. Each outcome reaches the product as the carrier
 * would tell it, and a dial is seen as it passes. With faults: `npm run test:faults -- --carrier twilio
 * --only carrier`.
 */

interface Subject {
  play: Play;
  make: (url: string, publicUrl: string) => Carrier;
  /**
   * As the product's controller does.
   * @returns what a genuine report says; null for one that says nothing.
   */
  read: (
    request: IncomingMessage,
    body: Buffer,
    publicUrl: string,
    carrierUrl: string,
  ) => Promise<CarrierEvent | null>;
  /** Whether it does not report a call that goes on. */
  silentStart?: true;
}

const SUBJECTS: Record<string, Subject> = {
  twilio: {
    play: playTwilio,
    make: (url, publicUrl) => new TwilioCarrier(twilioOptions(url, { publicUrl })),
    async read({ url = '', headers }, body, publicUrl) {
      const callbacks = new TwilioCallbacks(twilioOptions(publicUrl, { publicUrl }));
      const form: TwilioForm = Object.fromEntries(new URLSearchParams(body.toString()));
      expect(await callbacks.isSigned(String(headers['x-twilio-signature']), url, form)).toBe(true);
      const read = await callbacks.readStatus(url.split('/').at(-1) ?? '', form, false);
      return read.ok ? read.event : null;
    },
  },
  livekit: {
    play: playLiveKit,
    make: (url) => carrierAt(url),
    async read({ headers }, body) {
      const report = await new LiveKitWebhooks(API_KEY, API_SECRET).read(body, headers.authorization);
      expect(report).toHaveProperty('kind');
      return typeof report === 'object' && report.kind === 'event' ? report.event : null;
    },
  },
  retell: {
    play: playRetell,
    make: (url, publicUrl) => new RetellCarrier(retellOptions(url, { publicUrl })),
    read({ headers }, body) {
      expect(isSignedByRetell([RETELL_KEY], String(headers['x-retell-signature']), body)).toBe(true);
      const { call } = JSON.parse(body.toString()) as { call: RetellCall };
      return Promise.resolve(retellEvent(callRequestOf(call) ?? '', call));
    },
  },
  vapi: {
    play: playVapi,
    make: (url, publicUrl) => new VapiCarrier(vapiOptions(url, { publicUrl })),
    read({ headers }, body) {
      const { message } = JSON.parse(body.toString()) as { message: { call: Record<string, unknown> } };
      const callRequestId = callOfSecret([VAPI_KEY], String(headers['x-outdial-secret']));
      expect(callRequestId).toBe(vapiCallRequestOf(message.call));
      return Promise.resolve(vapiEvent(callRequestId ?? '', message.call));
    },
  },
  elevenlabs: {
    play: playElevenLabs,
    make: (url, publicUrl) => new ElevenLabsCarrier(elevenLabsOptions(url, { publicUrl })),
    silentStart: true,
    async read({ headers }, body, _, carrierUrl) {
      const signature = String(headers['elevenlabs-signature']);
      expect(isSignedByElevenLabs([ELEVENLABS_SECRET], signature, body)).toBe(true);
      const { type, data } = JSON.parse(body.toString()) as { type: string; data: Record<string, unknown> };
      if (type === 'post_call_transcription') {
        return conversationEvent(conversationCallRequestOf(data) ?? '', data);
      }
      // The report of a call that was not answered has none of Outdial's ids.
      const answer = await fetch(`${carrierUrl}/v1/convai/conversations/${String(data.conversation_id)}`, {
        headers: { 'xi-api-key': ELEVENLABS_KEY },
      });
      const conversation = (await answer.json()) as Record<string, unknown>;
      return failureEvent(conversationCallRequestOf(conversation) ?? '', data, new Date());
    },
  },
};

const RESULTS: [SimulatorOutcome, PlaceCallResult['kind']][] = [
  ['completed', 'accepted'],
  ['silent', 'accepted'],
  ['refuse', 'refused'],
  ['throttled', 'throttled'],
  ['error', 'unknown'],
  ['reset', 'unknown'],
];

describe.each(Object.entries(SUBJECTS))(
  '%s as the harness runs it',
  (_, { play, make, read, silentStart }) => {
    const reports: CarrierEvent[] = [];
    let api: Server;
    let engine: SimulatorEngine;
    let played: PlayedCarrier;
    let proxy: CarrierProxy;
    let carrier: Carrier;
    let carrierUrl = '';
    let calls = 0;

    beforeAll(async () => {
      api = createServer((request, response) => {
        void buffer(request)
          .then((body) => read(request, body, publicUrl, carrierUrl))
          .then((event) => event && reports.push(event))
          .finally(() => response.end());
      });
      await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
      const publicUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
      engine = new SimulatorEngine(FAST, (event) => void played.report(event));
      const port = await freePort();
      played = await play(engine, port, publicUrl);
      proxy = await new CarrierProxy(() => port).listen();
      carrierUrl = `http://127.0.0.1:${port}`;
      carrier = make(`http://127.0.0.1:${proxy.port}`, publicUrl);
      // So that the first dial does not wait for its SDK.
      await dial('completed');
    });
    afterAll(async () => {
      engine.close();
      await carrier.close();
      await proxy.close();
      await played.close();
      await new Promise((resolve) => api.close(resolve));
    });

    async function dial(outcome: SimulatorOutcome) {
      calls += 1;
      const request = {
        ...twilioDial(),
        callRequestId: callRequestId(calls),
        to: `+1415555${1_000 + calls}`,
      };
      const settings: Record<string, object> = {
        twilio: request.carrierSettings,
        retell: RETELL_SETTINGS,
        vapi: VAPI_SETTINGS,
        elevenlabs: ELEVENLABS_SETTINGS,
      };
      const carrierSettings = { ...settings[carrier.name] };
      engine.setRules([{ match: '*', outcome }]);
      return { request, result: await placeCallBounded(carrier, { ...request, carrierSettings }) };
    }

    test.each(RESULTS)('%s is %s, and logged once if it is a dial', async (outcome, kind) => {
      const sent = proxy.atNext('dial sent', () => undefined);
      // A reset is no answer.
      const answered = outcome === 'reset' ? sent : proxy.atNext('dial answered', () => undefined);
      const { request, result } = await dial(outcome);
      expect(result.kind).toBe(kind);
      expect([await sent, await answered]).toEqual([request.callRequestId, request.callRequestId]);
      const logged = engine.dials().filter(({ to }) => to === request.to);
      expect(logged.map(({ callRequestId: id }) => id)).toEqual(
        outcome === 'throttled' ? [] : [request.callRequestId],
      );
    });

    test.each<[SimulatorOutcome, string[]]>([
      ['completed', ['in_progress', 'completed']],
      ['voicemail', ['in_progress', 'voicemail']],
      ['busy', ['busy']],
      ['no_answer', ['no_answer']],
      ['failed', ['failed']],
      ['duplicate', ['in_progress', 'in_progress', 'completed', 'completed']],
    ])('of %s is reported %s', async (outcome, all) => {
      const statuses = silentStart ? all.filter((status) => status !== 'in_progress') : all;
      const { request } = await dial(outcome);
      const events = await eventually(
        () => Promise.resolve(reports.filter(({ callRequestId: id }) => id === request.callRequestId)),
        (told) => told.length >= statuses.length,
      );
      expect(events.map(({ status }) => status).sort()).toEqual([...statuses].sort());
    });
  },
);
