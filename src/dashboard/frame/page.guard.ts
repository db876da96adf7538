import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { actAs } from '../../database/actor.js';
import { mayDo, type Role } from '../../domain/permissions.js';
import { notFound } from '../../http/app-error.js';
import { clientAddressOf } from '../../http/client-address.js';
import { ownBody } from '../../http/request-body.js';
import { changesSomething, isSameOrigin } from '../../http/same-origin.js';
import { isUuid } from '../../http/validators.js';
import { roleIn, type Viewer } from '../../people/viewer.js';
import { FORM_TOKEN, formOf, type DashboardRequest } from './form.js';
import { PageAccess } from './page-access.service.js';
import { needOf } from './page-need.js';
import { openFormWithFile } from './uploaded-form.js';

/** Passes the answer to a refused request to the exception filter. */
export class PageRefused extends Error {
  override name = 'PageRefused';

  constructor(
    readonly status: 303 | 403,
    message: string,
    /** Of a redirect. */
    readonly location: string | null = null,
  ) {
    super(message);
  }
}

const FORGED =
  'This form is too old, or was not one of ours, so nothing was changed. Open the page again and repeat it.';

/**
 * Lets in people who are signed in and have what the route declares, and changes only from this site's forms. A page of
 * a team that the person is not in does not exist for them.
 */
@Injectable()
export class PageGuard implements CanActivate {
  constructor(private readonly access: PageAccess) {}

  /** @throws PageRefused; AppError `NOT_FOUND`, or when a form cannot be read. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<DashboardRequest>();
    const response = http.getResponse<Response>();
    ownBody(request, 'operations');
    const viewer = await this.access.viewerOf(request);
    const { visit, cookie } = this.access.visitOf(request);
    if (viewer === null && cookie !== null) response.appendHeader('Set-Cookie', cookie);
    const role = this.admit(context, request, viewer);
    const binding = viewer?.formKey ?? visit;
    if (changesSomething(request)) await this.requireOwnForm(context, request, binding);
    if (viewer !== null) {
      const { userId: id, email: name } = viewer;
      actAs({ kind: 'user', id, name, address: clientAddressOf(request) });
      if (role !== null) await this.access.noteOpened(request, viewer);
    }
    Object.assign(request, {
      viewer,
      role,
      binding,
      formToken: this.access.formToken(binding),
      notice: this.access.noticeOf(request, binding),
    });
    return true;
  }

  /** What the viewer is where the route acts: in its team, or on the platform. */
  private admit(context: ExecutionContext, request: Request, viewer: Viewer | null): Role | null {
    const need = needOf(context.getHandler());
    if (need === 'public') return null;
    if (viewer === null) throw signInNeeded(request);
    const { teamId } = request.params;
    const ofTeam = typeof teamId === 'string';
    const role = ofTeam
      ? isUuid(teamId)
        ? roleIn(viewer, teamId)
        : null
      : viewer.operator
        ? 'operator'
        : null;
    if (need === 'signed-in') return role;
    // A page of a team shows no other team, whatever the address asks for.
    if (ofTeam && (role === null || asksForOther(request, teamId))) throw notFound('Page');
    if (need === undefined || !mayDo(role, need)) {
      throw new PageRefused(403, 'Your role does not allow this. An admin of the team can change your role.');
    }
    return role;
  }

  private async requireOwnForm(context: ExecutionContext, request: Request, binding: string): Promise<void> {
    if (!isSameOrigin(request))
      throw new PageRefused(403, 'This request came from another site, so nothing was changed.');
    const upload = await openFormWithFile(request, context.getHandler());
    const fields = upload?.fields ?? (await formOf(request));
    if (this.access.isFormToken(fields.get(FORM_TOKEN) ?? '', binding)) return;
    await upload?.drop();
    throw new PageRefused(403, FORGED);
  }
}

function asksForOther({ query }: Request, teamId: string): boolean {
  return query.teamId !== undefined && query.teamId !== teamId;
}

/** After sign-in, the person is led back to the page; after a form, to the beginning. */
function signInNeeded(request: Request): PageRefused {
  const back = request.method === 'GET' || request.method === 'HEAD' ? request.originalUrl : null;
  const query = back === null ? '' : `?${new URLSearchParams({ back }).toString()}`;
  return new PageRefused(303, 'Sign in first.', `/login${query}`);
}
