import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type Role } from '../../domain/permissions.js';
import { AppError, invalid } from '../../http/app-error.js';
import { bytesOf } from '../../http/body.js';
import { type PageElement } from '../../http/html-page.js';
import { type Viewer } from '../../people/viewer.js';

/** The page from which a person is led on to a team or to the platform. */
export const BEGINNING = '/start';
const OWN_TEXT = /^\/(?:t|platform|account|start|invite)(?:[/?][\w/?&=%.+~:,-]*)?$/;
const OWN_PATH = /^\/(?:t|platform|account|start|invite)(?:\/|$)/;

export const FORM_TOKEN = 'formToken';

/** A request that the guard let in. */
export type DashboardRequest = Request & {
  /** Null on public pages, unless the browser is signed in. */
  viewer: Viewer | null;
  /** What the viewer is in the team of the address, or `operator` for the platform. */
  role: Role | null;
  /** What binds the forms of this browser. */
  binding: string;
  formToken: string;
  notice: string | null;
};

/**
 * The fields of a form as a browser sends them. If a field was sent twice, its first value is kept.
 *
 * @throws AppError as {@link bytesOf}, or `INVALID_REQUEST` for a character that Postgres cannot store.
 */
export async function formOf(request: Request): Promise<ReadonlyMap<string, string>> {
  const text = (await bytesOf(request)).toString();
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value.includes('\0')) throw invalid('A field contains a character that cannot be stored');
    if (!fields.has(name)) fields.set(name, value);
  }
  return fields;
}

/** The fields of the form that was sent. */
export const Form = createParamDecorator((_: unknown, context: ExecutionContext) =>
  formOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * The part of a request that every page needs: the parameters of the address, each once, and the token of its
 * forms.
 */
export interface PageRequest {
  /** The team of the address; null on pages of the platform and on public ones. */
  teamId: string | null;
  /** A parameter without the blanks around it; null where it is missing or empty. */
  parameter(name: string): string | null;
  /** The parameter `phoneNumber`. */
  phoneNumber: string | null;
  /** Null on public pages. */
  viewer: Viewer | null;
  role: Role | null;
  formToken: string;
  /** The notice of the form that led here, shown once. */
  notice: string | null;
  /** The address of this page, to which its forms lead back. */
  self: string;
}

/** The requested page. */
export const RequestedPage = createParamDecorator((_: unknown, context: ExecutionContext): PageRequest => {
  const request = context.switchToHttp().getRequest<DashboardRequest>();
  const sent = (name: string) => {
    const value = request.query[name];
    return typeof value === 'string' ? value : '';
  };
  const { teamId } = request.params;
  return {
    teamId: typeof teamId === 'string' ? teamId : null,
    parameter: (name) => sent(name).trim() || null,
    // A plus that was typed into the address bar arrives as a blank.
    phoneNumber:
      sent('phoneNumber')
        .replace(/^ (?=\d)/, '+')
        .trim() || null,
    viewer: request.viewer,
    role: request.role,
    formToken: request.formToken,
    notice: request.notice,
    self: ownAddress(request.originalUrl),
  };
});

/** The page that a form is on, for an answer that shows the page again. */
export function pageAround(form: ReadonlyMap<string, string>, around: PageRequest): PageRequest {
  const self = pageOf(form);
  const { searchParams } = new URL(self, 'http://localhost');
  const parameter = (name: string) => searchParams.get(name)?.trim() || null;
  return { ...around, parameter, phoneNumber: parameter('phoneNumber'), notice: null, self };
}

/** The result of a form: the browser returns to its page, which shows the notice once. */
export class Done {
  /** @param notice names what was done, in lower-case letters. */
  constructor(
    form: ReadonlyMap<string, string>,
    readonly notice: string,
    readonly url = pageOf(form),
  ) {}
}

function pageOf(form: ReadonlyMap<string, string>): string {
  return pageAt(form.get('back') ?? '');
}

/** The address if it is a page of the dashboard, else that of the beginning. */
export function pageAt(text: string): string {
  return OWN_TEXT.test(text) ? ownAddress(text) : BEGINNING;
}

/** The path is checked after `..` was resolved: `/t/..//evil.example` names another host. */
function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return OWN_PATH.test(pathname) ? `${pathname}${search}` : BEGINNING;
}

/** Leads the browser to another page, without a notice. */
export class Redirect {
  /** @param cookies that are set on the way. */
  constructor(
    readonly url: string,
    readonly cookies: readonly string[] = [],
  ) {}
}

/** A page whose address was refused: it shows its form as it was sent, and why. */
export class RefusedPage {
  constructor(
    readonly page: PageElement,
    readonly status: 400 | 404 | 429 | 503 = 400,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** The message of a refused request. @throws every other error. */
export function refusalText(error: unknown): string {
  if (error instanceof AppError && (error.code === 'INVALID_REQUEST' || error.code === 'NOT_FOUND'))
    return error.message;
  throw error;
}
