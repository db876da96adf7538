import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ComplianceModule } from './compliance/compliance.module.js';
import { PacksModule } from './compliance/packs/packs.module.js';
import { loadWorkerConfig } from './configuration.js';
import { ZoneDataInForce } from './database/zone-data-in-force.js';
import { HealthService } from './operations/health.service.js';
import { logUncaught, runProcess, type StopSignals } from './operations/run-process.js';
import { ScrapeService } from './operations/scrape.service.js';
import { type ProbeSources, workerProbes } from './operations/worker-probes.js';
import { createLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import { WorkerModule } from './worker.module.js';
import { installZoneData, oldZoneDataWarning } from './zone-data.js';

/** Starts the worker process. */
async function start(signals: StopSignals): Promise<void> {
  const config = loadWorkerConfig();
  const logger = createLogger(config, 'worker');
  logUncaught(logger);
  installZoneData(config.tzdataFile);
  const oldZones = oldZoneDataWarning(config.tzdataFile);
  if (oldZones !== null) logger.warn(oldZones, 'ZoneData');
  PacksModule.read(config);
  // The probes start first. A slow start then does not look like a hung process. If the port is in use, the
  // worker ends before it dials.
  let sources: ProbeSources | undefined = undefined;
  const probes = workerProbes(() => sources);
  await new Promise<void>((resolve, reject) => {
    probes.once('error', reject).listen(config.workerPort, config.host, resolve);
  });
  const app = await NestFactory.createApplicationContext(
    WorkerModule.forRoot(config, () => signals.hold()),
    {
      logger,
      abortOnError: false,
    },
  );
  await app.get(ZoneDataInForce).advance();
  await ComplianceModule.keepVersions(app);
  app.get(Metrics).collectProcess();
  signals.stopInOrder(app, logger);
  sources = {
    health: app.get(HealthService),
    scrape: app.get(ScrapeService),
    metricsToken: config.metricsToken,
  };
  logger.log(`Worker is up; probes on port ${config.workerPort}`, 'Worker');
}

runProcess(start);
