import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { isPage, renderPage } from './render.js';
import { setPageHeaders } from './page-headers.js';

/** Sends the page that a route returned. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    setPageHeaders(response);
    return next.handle().pipe(
      map((value: unknown) => {
        if (!isPage(value)) return value;
        response.type('html');
        return renderPage(value);
      }),
    );
  }
}
