import { type NestExpressApplication } from '@nestjs/platform-express';
import { addressOf } from '../../src/http/openapi/routes.js';

interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> };
}

// Pages for people, which are HTML behind HTTP Basic; no part of the API.
const PAGES = /^\/admin(?:\/|$)/;

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
