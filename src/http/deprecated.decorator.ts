import 'reflect-metadata';
import { applyDecorators, Header, SetMetadata } from '@nestjs/common';

const DEPRECATED = 'outdial:deprecated';

/**
 * A route that will go away. Its answers say since when it is deprecated (`Deprecation`, RFC 9745) and when
 * it ends (`Sunset`, RFC 8594), and the document marks it. What a guard refuses is answered without these
 * headers.
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
