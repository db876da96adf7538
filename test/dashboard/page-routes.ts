import { RequestMethod } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { PageGuard } from '../../src/dashboard/frame/page.guard.js';
import { needOf, type PageNeed } from '../../src/dashboard/frame/page-need.js';

/** A route of a page: `path` as the controller declares it, such as `/t/:teamId/calls/:id`. */
export interface PageRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Undefined: the route does not declare it. */
  need: PageNeed | undefined;
}

type Class = new (...parts: never[]) => object;

/** The routes of these controllers that {@link PageGuard} guards. */
export function pageRoutesOf(controllers: Iterable<Class>): PageRoute[] {
  return [...controllers].flatMap((controller) => {
    const guards = (Reflect.getMetadata(GUARDS_METADATA, controller) ?? []) as unknown[];
    if (!guards.includes(PageGuard)) return [];
    const bases = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
    const prototype = controller.prototype as Record<string, object>;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (typeof handler !== 'function') return [];
      const kind = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (kind === undefined) return [];
      const own = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
      const method = RequestMethod[kind] as PageRoute['method'];
      return bases.flatMap((base) =>
        own.map((rest) => ({ method, path: joined(base, rest), need: needOf(handler) })),
      );
    });
  });
}

/** Every page of the application, by its modules. */
export function pageRoutesOfApp(app: NestExpressApplication): PageRoute[] {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return pageRoutesOf(controllers.flatMap(({ metatype }) => (metatype ? [metatype as Class] : [])));
}

/** Every route of the application, by its router, as `GET /t/:teamId`. */
export function routesOfRouter(app: NestExpressApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
  };
  return router.stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${joined(route.path)}`),
  );
}

const joined = (...parts: string[]) =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((step) => step !== '')
    .join('/')}`;
