import 'reflect-metadata';
import { createApi } from './api.js';
import { loadConfig } from './config/config.js';
import { logUncaught, runProcess, stopInOrder } from './operations/run-process.js';
import { createLogger } from './telemetry/logger.js';

/** Starts the API process. */
async function start(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config, 'api');
  logUncaught(logger);
  const app = await createApi(config, logger);
  stopInOrder(app, logger);
  await app.listen(config.port);
  logger.log(`API is up on port ${config.port}`, 'Api');
}

runProcess(start);
