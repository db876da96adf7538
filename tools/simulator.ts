/**
 * The carrier simulator as a process of its own. Prints one JSON line `{"listening":<port>}` when it is
 * ready, ends on SIGTERM or SIGINT. Environment: see docs/carriers/simulator.md.
 */
import { simulatorBanner } from '../src/carriers/simulator/simulator-options.js';
import { SimulatorServer } from '../src/carriers/simulator/simulator-server.js';
import { givenUp, numberFrom, simulatorOptionsFrom, textFrom, urlFrom } from './simulator/environment.js';

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const server = new SimulatorServer({
    ...simulatorOptionsFrom(env),
    callbackUrl: urlFrom(env, 'SIMULATOR_CALLBACK_URL'),
    callbackToken: textFrom(env, 'SIMULATOR_CALLBACK_TOKEN'),
    signingSecret: textFrom(env, 'SIMULATOR_SIGNING_SECRET'),
    delivery: { onGiveUp: givenUp },
  });
  const port = await server.listen(
    numberFrom(env, 'SIMULATOR_PORT') ?? 4010,
    textFrom(env, 'SIMULATOR_HOST') ?? '127.0.0.1',
  );
  console.error(simulatorBanner('a process of its own'));
  console.log(JSON.stringify({ listening: port }));
  const stop = () => {
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main(process.env).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
