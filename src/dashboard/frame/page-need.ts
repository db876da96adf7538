import { SetMetadata } from '@nestjs/common';
import { type Permission } from '../../domain/permissions.js';

const NEED = 'outdial:page-need';

/** What a route of a page needs: a permission; `signed-in`: any person; `public`: no sign-in. */
export type PageNeed = Permission | 'public' | 'signed-in';

/** Every route of a page declares what it needs. One without is refused. */
export const Needs = (need: PageNeed): MethodDecorator => SetMetadata(NEED, need);

/** What a route declares, for the guard and for the test of every route. */
export function needOf(handler: object): PageNeed | undefined {
  return Reflect.getMetadata(NEED, handler) as PageNeed | undefined;
}
