import { Injectable } from '@nestjs/common';
import { TEAM_ROLES, type TeamRole } from '../../domain/permissions.js';
import { invalid } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { PeopleService } from '../../people/people.service.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { errorsOfRefusal } from '../frame/form-errors.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { INVITATION_LABELS, membersPage, type TypedInvitation } from './members.view.js';

const UNTYPED: TypedInvitation = { email: '', role: 'viewer' };

/** The people of a team. */
@Injectable()
export class MembersPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly people: PeopleService,
  ) {}

  async page(request: PageRequest, teamId: string): Promise<PageElement> {
    const [frame, members] = await Promise.all([this.frames.of(request), this.people.members(teamId)]);
    return membersPage(frame, { members, typed: UNTYPED, errors: {}, invited: null });
  }

  /**
   * Invites a person. The page that answers is the only one that shows the link.
   *
   * @param origin by which the browser reached this process.
   */
  async invite(
    request: PageRequest,
    teamId: string,
    typed: TypedInvitation,
    origin: string,
  ): Promise<PageElement | RefusedPage> {
    const frame = await this.frames.of(request);
    try {
      const { link, sent } = await this.people.invite(teamId, typed.email, roleOf(typed.role), origin);
      const members = await this.people.members(teamId);
      const invited = { email: typed.email, link, sent };
      return membersPage(frame, { members, typed: UNTYPED, errors: {}, invited });
    } catch (error) {
      const errors = errorsOfRefusal(error, INVITATION_LABELS);
      const members = await this.people.members(teamId);
      return new RefusedPage(membersPage(frame, { members, typed, errors, invited: null }));
    }
  }

  /** @throws AppError `NOT_FOUND` for the member, `INVALID_REQUEST` for the role. */
  setRole(teamId: string, userId: string, role: string): Promise<void> {
    return this.people.setRole(teamId, userId, roleOf(role));
  }

  /** @throws AppError `NOT_FOUND`. */
  remove(teamId: string, userId: string): Promise<void> {
    return this.people.remove(teamId, userId);
  }
}

function roleOf(text: string): TeamRole {
  const role = TEAM_ROLES.find((one) => one === text);
  if (role === undefined) throw invalid(`role must be one of ${TEAM_ROLES.join(', ')}`);
  return role;
}
