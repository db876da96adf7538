import { Controller, HttpCode, type OnModuleDestroy, Post, Req, Res, type Type } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { CarrierReportsService } from '../calls/reports/carrier-reports.service.js';
import { LiveCallService } from '../calls/reports/live-call.service.js';
import { CarrierAccountOpener } from '../carrier-accounts/carrier-account-opener.service.js';
import { type CallbackHandlers, type CallReports } from '../carriers/callbacks.js';
import { type CarrierDefinition } from '../carriers/carrier-definition.js';
import { CARRIERS, type CarrierConfig } from '../carriers/registry.js';
import { Config } from '../config/config.js';
import { AppError } from '../http/app-error.js';
import { FailedAuthentications } from '../http/failed-authentications.js';
import { credentialHeaderOf, type DocumentedController } from '../http/openapi/operation.js';

type Definition = Pick<CarrierDefinition<string, CarrierConfig>, 'name' | 'callbacks' | 'securityScheme'>;

/** The callbacks of one carrier, for Nest and for the API's document. */
export interface CallbackController {
  controller: Type<object>;
  documented: DocumentedController;
  /** Whether this deployment has these callbacks. */
  exists: (config: Config) => boolean;
}

/** One controller for each carrier, in the order of the registry. */
export const CALLBACK_CONTROLLERS: readonly CallbackController[] = CARRIERS.map(callbackController);

function callbackController(carrier: Definition): CallbackController {
  const { callbacks, securityScheme } = carrier;
  const controller = controllerOf(carrier);
  return {
    controller,
    documented: {
      controller,
      surface: 'carrier',
      tag: 'Carriers',
      credentials: securityScheme,
      operations: callbacks.routes,
    },
    exists: (config) => callbacks.exist?.(withCarriers(config)) ?? true,
  };
}

/** A Nest controller with one `POST` for each route that the carrier declares. */
function controllerOf({ name, callbacks, securityScheme }: Definition): Type<object> {
  @Controller(callbacks.path)
  class CarrierCallbackController implements OnModuleDestroy {
    readonly handlers: CallbackHandlers;

    constructor(
      reports: CarrierReportsService,
      calls: LiveCallService,
      failures: FailedAuthentications,
      accounts: CarrierAccountOpener,
      config: Config,
    ) {
      this.handlers = callbacks.open({
        config: withCarriers(config),
        reports: reportsOf(name, reports, calls),
        accountOf: (id) => accounts.ofReports(id, name),
        unauthorized: (request) => {
          failures.count(request, credentialHeaderOf(securityScheme));
          return new AppError('UNAUTHORIZED', securityScheme.refusal);
        },
      });
    }

    onModuleDestroy(): void {
      this.handlers.close?.();
    }
  }

  for (const [handler, { path }] of Object.entries(callbacks.routes)) {
    const { prototype } = CarrierCallbackController;
    const descriptor: PropertyDescriptor = {
      value(this: CarrierCallbackController, request: Request, response: Response): Promise<unknown> {
        const handle = this.handlers.routes[handler];
        if (handle === undefined) throw new Error(`the callback ${handler} of ${name} has no handler`);
        return handle(request, response);
      },
    };
    Object.defineProperty(prototype, handler, descriptor);
    Post(path)(prototype, handler, descriptor);
    HttpCode(200)(prototype, handler, descriptor);
    Req()(prototype, handler, 0);
    Res({ passthrough: true })(prototype, handler, 1);
  }
  return CarrierCallbackController;
}

/** The loader of the configuration has read every carrier's variables as well. */
function withCarriers(config: Config): Config & CarrierConfig {
  return config as Config & CarrierConfig;
}

/** One carrier's port to the calls. It does not reach the calls of other carriers. */
function reportsOf(name: string, reports: CarrierReportsService, calls: LiveCallService): CallReports {
  return {
    record: (event) => reports.record(name, event),
    optOut: (callRequestId) => reports.optOut(name, callRequestId),
    recordUnsettledEnd: (event) => reports.recordUnsettledEnd(name, event),
    settleEnd: (call, outcome) => reports.settleEnd(name, call, outcome),
    recordSilentEnd: (call, reason) => reports.recordSilentEnd(name, call, reason),
    callOf: (callRequestId) => calls.callOf(name, callRequestId),
    briefing: (callRequestId, carrierCallId) => calls.briefing(name, callRequestId, carrierCallId),
  };
}
