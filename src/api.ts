import { type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler } from 'express';
import { ApiModule } from './api.module.js';
import { type Config } from './config/config.js';
import { actingRequests } from './http/acting-requests.js';
import { readAddress, readTargets } from './http/address.js';
import { openBodies } from './http/body-reader.js';
import { ignoreConditions } from './http/conditional.js';
import { ErrorFilter } from './http/error.filter.js';
import { deferContinue } from './http/expectation.js';
import { ServerAdapter } from './http/express-server.js';
import { homePage } from './http/home-page.js';
import { logRequests } from './http/request-log.js';
import { securityHeaders } from './http/security-headers.js';
import { dropUnreadBodies } from './http/unread-body.js';
import { Metrics } from './telemetry/metrics.js';

/**
 * Creates the API as it runs in production. It does not listen yet.
 *
 * @param adapter connects the application to its HTTP server; by default to a new server.
 */
export async function createApi(
  config: Config,
  logger: LoggerService | false,
  adapter = ServerAdapter.standalone(),
): Promise<NestExpressApplication> {
  // No parser: a body is read where it is used, after the credentials have been checked.
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.forRoot(config), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  // The proxies whose `X-Forwarded-For` is trusted.
  app.set('trust proxy', config.trustedProxies ?? false);
  const server = app.getHttpServer();
  readTargets(server);
  deferContinue(server);
  app.use(
    asOne(
      logRequests(app.get(Metrics)),
      securityHeaders(),
      dropUnreadBodies(),
      readAddress(),
      ignoreConditions(),
      homePage(),
      openBodies(() => config.bodyMemoryMb * 1024 * 1024),
      actingRequests(),
    ),
  );
  app.useGlobalFilters(new ErrorFilter());
  return app;
}

/**
 * Combines handlers into one, because Express' router takes microseconds for each handler of each request.
 */
function asOne(...handlers: RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const run = (index: number, error?: unknown): void => {
      const handler = handlers[index];
      if (error !== undefined || handler === undefined) return next(error);
      void handler(request, response, (failure?: unknown) => run(index + 1, failure));
    };
    run(0);
  };
}
