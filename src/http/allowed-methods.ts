import { type Request } from 'express';

/** A layer of Express' router; one without a `route` is a middleware. */
interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> };
  match(path: string): boolean;
}

/**
 * The methods of the routes at the request's path. With GET, HEAD is allowed, too. Empty: no route has this path.
 *
 * @param onlyLiteral whether only routes without parameters count. A route of another method may have matched the
 *   path with a part of it as an id.
 */
export function allowedMethodsOf(request: Request, onlyLiteral = false): string[] {
  const { router } = request.app as unknown as { router: { stack: Layer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (layer.route === undefined || !matches(layer, request.path)) continue;
    if (onlyLiteral && layer.route.path !== request.path) continue;
    for (const [method, isHandled] of Object.entries(layer.route.methods)) {
      if (isHandled) methods.add(method.toUpperCase());
    }
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** A path with a malformed escape matches nothing. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
