import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { createApi } from './api.js';
import { CallsApiModule } from './calls/calls-api.module.js';
import { ComplianceModule } from './compliance/compliance.module.js';
import { PacksModule } from './compliance/packs/packs.module.js';
import { loadConfig } from './configuration.js';
import { ZoneDataInForce } from './database/zone-data-in-force.js';
import { networkOf, peerOf } from './http/client-address.js';
import { ServerAdapter } from './http/express-server.js';
import { paceNewConnections } from './http/new-connections.js';
import { scheduleRequests } from './http/schedule-requests.js';
import { HealthService } from './operations/health.service.js';
import { logUncaught, runProcess, STOP_WITHIN_MS, type StopSignals } from './operations/run-process.js';
import { StartListener } from './operations/start-listener.js';
import { KnownKeysModule } from './teams/known-keys.module.js';
import { createLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import { installZoneData, oldZoneDataWarning } from './zone-data.js';

/** Starts the API process. */
async function start(signals: StopSignals): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config, 'api');
  logUncaught(logger);
  installZoneData(config.tzdataFile);
  const oldZones = oldZoneDataWarning(config.tzdataFile);
  if (oldZones !== null) logger.warn(oldZones, 'ZoneData');
  PacksModule.read(config);
  // The server listens first. A start that waits for Postgres then does not look like a hung process.
  const listener = new StartListener(config.maxConnections);
  await listener.listen(config.port, config.host);
  const app = await createApi(config, logger, new ServerAdapter(listener.express));
  app.get(Metrics).collectProcess();
  await app.init();
  await app.get(ZoneDataInForce).advance();
  await ComplianceModule.keepVersions(app);
  // The warm-up is of use only before the first request. If it fails, the API starts without it.
  await CallsApiModule.warmUp(app).catch(() => undefined);
  const express = app.getHttpAdapter().getInstance();
  const trusts = express.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const teamOf = KnownKeysModule.teamTeller(app);
  // Until here the process has accepted no work, so a signal ends it at once.
  signals.stopInOrder(app, logger, STOP_WITHIN_MS + config.shutdownDelayMs, async () => {
    // Readiness fails from now on. Until the delay has passed, requests are still answered, because load
    // balancers need time to stop sending them.
    app.get(HealthService).announceStop();
    await setTimeout(config.shutdownDelayMs);
    await listener.connections.drain();
  });
  const isTrusted = (address: string) => trusts(address, 0);
  paceNewConnections(listener.server, isTrusted);
  listener.handOver(
    scheduleRequests(express, (request) => teamOf(request) ?? networkOf(peerOf(request, isTrusted))),
  );
  logger.log(`API is up on port ${config.port}`, 'Api');
}

runProcess(start);
