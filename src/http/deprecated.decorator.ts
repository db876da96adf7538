import 'reflect-metadata';
import { applyDecorators, Header, SetMetadata } from '@nestjs/common';

const DEPRECATED = 'outdial:deprecated';

/**
 * Marks a route that will be removed. Two headers of its answers have the day of its deprecation
 * (`Deprecation`, RFC 9745) and the day of its end (`Sunset`, RFC 8594). The OpenAPI document marks the
 * route, too. If a guard refuses a request, the answer has no such headers.
 *
 * @param since and `until`: days in UTC, such as `2027-01-31`.
 */
export function Deprecated({ since, until }: { since: string; until: string }): MethodDecorator {
  return applyDecorators(
    Header('Deprecation', `@${Date.parse(since) / 1_000}`),
    Header('Sunset', new Date(until).toUTCString()),
    SetMetadata(DEPRECATED, true),
  );
}

/** @param handler a controller's method. */
export function isDeprecated(handler: object): boolean {
  return Reflect.hasMetadata(DEPRECATED, handler);
}
