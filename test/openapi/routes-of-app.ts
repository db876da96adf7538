import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { TRIGGER_OPENAPI } from '../../src/calls/trigger/trigger.openapi.js';
import { type ScopeRule } from '../../src/domain/key-scopes.js';
import { addressOf, routesOf } from '../../src/http/openapi/routes.js';
import { declaredScopeOf } from '../../src/http/route-scope.js';

interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> };
}

// Pages for people and what they load; no part of the API.
const PAGES =
  /^\/(?:admin|assets|t|platform|account|start|login|logout|welcome|invite|reset|design)(?:\/|$)|^\/docs\/(?:guides|assets)\/|^\/docs\/(?:packs|operations|objects)(?:\/|$)|^\/docs\/search\.json$/;

/** Every route that the app really has, as `method /path/{parameter}`, from Express itself. */
export function routesOfApp(app: NestExpressApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as { router: { stack: Layer[] } };
  return router.stack.flatMap(({ route }) => {
    if (route === undefined) return [];
    if (typeof route.path !== 'string') throw new Error(`a route with the path ${String(route.path)}`);
    const path = addressOf(route.path);
    if (PAGES.test(path)) return [];
    return Object.keys(route.methods).map((method) => `${method} ${path}`);
  });
}

/** What each route of the running application declares, by `method /path/{parameter}`. */
export function rulesOfApp(app: NestExpressApplication): Map<string, ScopeRule | undefined> {
  const rules = new Map<string, ScopeRule | undefined>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, object>;
      const base = Reflect.getMetadata(PATH_METADATA, metatype) as string | string[];
      // With the handlers that several controllers share.
      for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
        const handler = prototype[name];
        const kind =
          typeof handler === 'function' &&
          (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
        if (!handler || kind === false || kind === undefined) continue;
        const own = Reflect.getMetadata(PATH_METADATA, handler) as string | string[];
        // Pages have several addresses.
        for (const path of [base]
          .flat()
          .flatMap((first) => [own].flat().map((rest) => addressOf(first, rest))))
          rules.set(`${RequestMethod[kind].toLowerCase()} ${path}`, declaredScopeOf(handler));
      }
    }
  }
  // The trigger checks its scope itself.
  const [trigger] = routesOf(TRIGGER_OPENAPI);
  rules.set(`${trigger?.method} ${trigger?.path}`, trigger?.scope);
  return rules;
}
