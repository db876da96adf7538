import 'reflect-metadata';
import { createApi } from './api.js';
import { loadConfig } from './config/config.js';
import { logUncaught, runProcess, stopInOrder } from './operations/run-process.js';
import { ServerAdapter, StartListener } from './operations/start-listener.js';
import { createLogger } from './telemetry/logger.js';

/** Starts the API process. */
async function start(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config, 'api');
  logUncaught(logger);
  // First, so that a start that waits for Postgres is not taken for a hung process.
  const listener = new StartListener();
  await listener.listen(config.port, config.host);
  const app = await createApi(config, logger, new ServerAdapter(listener.server));
  stopInOrder(app, logger);
  await app.init();
  listener.handOver(app.getHttpAdapter().getInstance());
  logger.log(`API is up on port ${config.port}`, 'Api');
}

runProcess(start);
