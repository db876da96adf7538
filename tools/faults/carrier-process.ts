/**
 * A carrier of the harness as a process of its own. It speaks the protocol of `FAULT_CARRIER` at
 * `CARRIER_PORT`. Behind that is the simulator's engine with its rules and its dial log. `PUT /rules` and
 * `GET /health` are at `SIMULATOR_PORT`.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { SimulatorEngine } from '../../src/carriers/simulator/engine.js';
import { EventDelivery, type EventDeliveryOptions } from '../../src/carriers/simulator/event-delivery.js';
import { parseSimulatorRules } from '../../src/carriers/simulator/parse-rules.js';
import { type Play, type PlayedCarrier } from '../fake-carriers/played-calls.js';
import { playElevenLabs } from '../fake-carriers/play-elevenlabs.js';
import { playLiveKit } from '../fake-carriers/play-livekit.js';
import { playRetell } from '../fake-carriers/play-retell.js';
import { playTwilio } from '../fake-carriers/play-twilio.js';
import { playVapi } from '../fake-carriers/play-vapi.js';
import { givenUp, numberFrom, simulatorOptionsFrom, textFrom, urlFrom } from '../simulator/environment.js';

/** How each carrier is played, and how stubborn it is with its reports. */
const PLAYED: Record<string, { play: Play; delivery: EventDeliveryOptions }> = {
  // Three more attempts within 15 seconds, as the product asks for them.
  twilio: { play: playTwilio, delivery: { attempts: 4, backoffMs: 500 } },
  livekit: { play: playLiveKit, delivery: { attempts: 6, backoffMs: 200 } },
  // Three attempts at all.
  retell: { play: playRetell, delivery: { attempts: 3, backoffMs: 500 } },
  // As often as each dial asks for.
  vapi: { play: playVapi, delivery: { attempts: 6, backoffMs: 500 } },
  // Once: retries are off by default.
  elevenlabs: { play: playElevenLabs, delivery: { attempts: 1, backoffMs: 500 } },
};

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const played = PLAYED[textFrom(env, 'FAULT_CARRIER') ?? ''];
  if (played === undefined)
    throw new Error(`FAULT_CARRIER: must be one of ${Object.keys(PLAYED).join(', ')}`);
  let carrier: PlayedCarrier | null = null;
  const delivery = new EventDelivery(
    async (event) => {
      await carrier?.report(event);
    },
    { ...played.delivery, onGiveUp: givenUp },
  );
  const engine = new SimulatorEngine(simulatorOptionsFrom(env), (event) => delivery.deliver(event));
  engine.open();
  const publicUrl = urlFrom(env, 'SIMULATOR_CALLBACK_URL') ?? '';
  carrier = await played.play(engine, numberFrom(env, 'CARRIER_PORT') ?? 0, publicUrl);
  control(engine).listen(numberFrom(env, 'SIMULATOR_PORT'), '127.0.0.1');
}

/** Only for the harness. */
function control(engine: SimulatorEngine) {
  return createServer((request, response) => {
    if (request.method === 'GET') return void response.end('ok');
    void text(request).then((body) => {
      const parsed = parseSimulatorRules(body);
      if (parsed.ok) engine.setRules(parsed.rules);
      response.writeHead(parsed.ok ? 200 : 400).end(parsed.ok ? '' : parsed.message);
    });
  });
}

main(process.env).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
