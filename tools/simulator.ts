/**
 * The carrier simulator as a process of its own. Prints one JSON line `{"listening":<port>}` when it is ready, ends on
 * SIGTERM or SIGINT. Environment: see docs/decisions/simulator-first-carrier.md.
 */
import { parseSimulatorRules } from '../src/carriers/simulator/parse-rules.js';
import { simulatorBanner } from '../src/carriers/simulator/simulator-options.js';
import { SimulatorServer } from '../src/carriers/simulator/simulator-server.js';

async function main(): Promise<void> {
  const rules = parseSimulatorRules(process.env['SIMULATOR_RULES'] ?? '');
  if (!rules.ok) throw new Error(`SIMULATOR_RULES: ${rules.message}`);
  const server = new SimulatorServer({
    rules: rules.rules,
    acceptMs: numberFrom('SIMULATOR_ACCEPT_MS'),
    ringMs: numberFrom('SIMULATOR_RING_MS'),
    talkMs: numberFrom('SIMULATOR_TALK_MS'),
    lateMs: numberFrom('SIMULATOR_LATE_MS'),
    seed: numberFrom('SIMULATOR_SEED'),
    dialLogPath: textFrom('SIMULATOR_DIAL_LOG'),
    callbackUrl: urlFrom('SIMULATOR_CALLBACK_URL'),
    callbackToken: textFrom('SIMULATOR_CALLBACK_TOKEN'),
    signingSecret: textFrom('SIMULATOR_SIGNING_SECRET'),
    delivery: {
      onGiveUp: ({ callRequestId, status }, error) => {
        const why = error instanceof Error ? error.message : 'unknown error';
        console.error(`callback given up: ${callRequestId} ${status}: ${why}`);
      },
    },
  });
  const port = await server.listen(
    numberFrom('SIMULATOR_PORT') ?? 4010,
    textFrom('SIMULATOR_HOST') ?? '127.0.0.1',
  );
  console.error(simulatorBanner('a process of its own'));
  console.log(JSON.stringify({ listening: port }));
  const stop = () => {
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function textFrom(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === '' ? undefined : value;
}

function numberFrom(name: string): number | undefined {
  const text = textFrom(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,7}$/.test(text)) throw new Error(`${name}: must be a whole number from 0`);
  return Number(text);
}

function urlFrom(name: string): string | undefined {
  const text = textFrom(name);
  if (text !== undefined && !/^https?:\/\//.test(text)) throw new Error(`${name}: must be an http URL`);
  return text;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
