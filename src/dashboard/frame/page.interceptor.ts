import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { PageAccess } from './page-access.service.js';
import { Done, type DashboardRequest, Redirect, RefusedPage } from './form.js';
import { setPageHeaders } from '../../http/page-headers.js';
import { isPage, renderPage } from '../../http/html-page.js';

/**
 * Sends the page that a route returned, or redirects to the form's page after a form. A notice is shown once,
 * on the next page.
 */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(private readonly access: PageAccess) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    setPageHeaders(response);
    return next.handle().pipe(
      map((value: unknown) => {
        if (value instanceof Done) {
          const cookie = this.access.noticeCookie(value.notice, request.binding, request);
          response.appendHeader('Set-Cookie', cookie);
          response.status(303).location(value.url);
          return undefined;
        }
        if (value instanceof Redirect) {
          for (const cookie of value.cookies) response.appendHeader('Set-Cookie', cookie);
          response.status(303).location(value.url);
          return undefined;
        }
        const page = value instanceof RefusedPage ? value.page : value;
        if (!isPage(page)) return value;
        if (value instanceof RefusedPage) response.status(value.status).set(value.headers);
        if (request.notice !== null) response.appendHeader('Set-Cookie', this.access.noNoticeCookie(request));
        response.type('html');
        return renderPage(page);
      }),
    );
  }
}
