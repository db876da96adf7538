import { type ArgumentsHost, Catch } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ErrorFilter } from '../../http/error.filter.js';
import { errorPage } from '../design/document.js';
import { setPageHeaders } from '../../http/page-headers.js';
import { renderPage } from '../../http/html-page.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { PageRefused } from './page.guard.js';

const TITLES: Record<number, string> = {
  400: 'That cannot be done',
  401: 'Not signed in',
  403: 'Refused',
  404: 'Not found',
  409: 'Too late',
  413: 'Too much at once',
  415: 'That cannot be done',
  429: 'Please wait',
  503: 'The database does not answer',
};

interface Refusal {
  status: number;
  text: string;
  headers: Record<string, string>;
}

/** Answers every refusal and failure with an error page. */
@Catch()
export class PageErrorFilter extends ErrorFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { status, text, headers } = this.refusalOf(error, request);
    const title = TITLES[status] ?? 'Something went wrong';
    setPageHeaders(response);
    response.set(headers).status(status).type('html');
    response.send(renderPage(errorPage(title, text, traceOf(request).requestId)));
  }

  private refusalOf(error: unknown, request: Request): Refusal {
    if (error instanceof PageRefused) {
      const { status, message: text, location } = error;
      return { status, text, headers: location === null ? {} : { Location: location } };
    }
    const { status, body } = this.answer(error, request);
    const headers: Record<string, string> = status === 503 ? { 'Retry-After': '1' } : {};
    return { status, text: body.error, headers };
  }
}
