import { Get, Param, Post, Req } from '@nestjs/common';
import { AppError } from '../../http/app-error.js';
import { clientAddressOf } from '../../http/client-address.js';
import { type PageElement } from '../../http/html-page.js';
import { LinksService } from '../../people/links.service.js';
import { SignInService } from '../../people/sign-in.service.js';
import {
  BEGINNING,
  type DashboardRequest,
  Form,
  type PageRequest,
  type Redirect,
  RefusedPage,
  RequestedPage,
} from '../frame/form.js';
import { Needs } from '../frame/page-need.js';
import { Pages } from '../frame/page.decorator.js';
import { BrowserSession } from './browser-session.service.js';
import { InvalidLinkPage, InvitePage, ResetPage, WelcomePage } from './links.view.js';

type Sent = ReadonlyMap<string, string>;
type Answer = Promise<PageElement | RefusedPage | Redirect>;

/**
 * Links that are used once. To open one changes nothing, because programs that check e-mails open links, too: it is
 * used by its form.
 */
@Pages('')
export class LinksController {
  constructor(
    private readonly links: LinksService,
    private readonly signIn: SignInService,
    private readonly browser: BrowserSession,
  ) {}

  @Get('welcome/:token')
  @Needs('public')
  async welcome(@Param('token') token: string, @RequestedPage() page: PageRequest): Answer {
    const link = await this.links.find('welcome', token);
    return link === null
      ? invalidLink(page, 'welcome')
      : WelcomePage({ request: page, action: `/welcome/${token}` });
  }

  @Post('welcome/:token')
  @Needs('public')
  async begin(
    @Param('token') token: string,
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Answer {
    const email = form.get('email') ?? '';
    const password = form.get('password') ?? '';
    const made = await faultOr(this.links.welcome(token, { email, password }, clientAddressOf(request)));
    if (typeof made === 'string') {
      const faults = made.startsWith('email')
        ? { email: sentence(made), password: null }
        : { email: null, password: sentence(made) };
      return new RefusedPage(WelcomePage({ request: page, action: `/welcome/${token}`, email, faults }));
    }
    if (made === null) return invalidLink(page, 'welcome');
    return this.begun(request, made);
  }

  @Get('invite/:token')
  @Needs('public')
  async invitation(@Param('token') token: string, @RequestedPage() page: PageRequest): Answer {
    const link = await this.links.find('invite', token);
    return link === null
      ? invalidLink(page, 'invite')
      : InvitePage({ request: page, action: `/invite/${token}`, link });
  }

  @Post('invite/:token')
  @Needs('public')
  async join(
    @Param('token') token: string,
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Answer {
    const link = await this.links.find('invite', token);
    if (link === null) return invalidLink(page, 'invite');
    const own = `/invite/${token}`;
    if (!link.hasAccount) {
      const password = form.get('password') ?? '';
      const address = clientAddressOf(request);
      const person = await faultOr(this.links.choosePassword('invite', token, password, address));
      if (typeof person === 'string') {
        return new RefusedPage(InvitePage({ request: page, action: own, link, fault: sentence(person) }));
      }
      return person === null ? invalidLink(page, 'invite') : this.begun(request, person);
    }
    const { viewer } = page;
    if (viewer?.userId !== link.userId)
      return new RefusedPage(InvitePage({ request: page, action: own, link }));
    if (!(await this.links.accept(token, viewer, clientAddressOf(request))))
      return invalidLink(page, 'invite');
    const person = { id: viewer.userId, email: viewer.email };
    const session = await this.signIn.begin(person, clientAddressOf(request), 'invitation');
    const url = link.teamId === null ? BEGINNING : `/t/${link.teamId}`;
    return this.browser.into(request, session, { email: viewer.email, url });
  }

  @Get('reset/:token')
  @Needs('public')
  async reset(@Param('token') token: string, @RequestedPage() page: PageRequest): Answer {
    const link = await this.links.find('reset', token);
    return link === null
      ? invalidLink(page, 'reset')
      : ResetPage({ request: page, action: `/reset/${token}`, link });
  }

  @Post('reset/:token')
  @Needs('public')
  async choose(
    @Param('token') token: string,
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Answer {
    const link = await this.links.find('reset', token);
    if (link === null) return invalidLink(page, 'reset');
    const password = form.get('password') ?? '';
    const person = await faultOr(
      this.links.choosePassword('reset', token, password, clientAddressOf(request)),
    );
    if (typeof person === 'string') {
      const action = `/reset/${token}`;
      return new RefusedPage(ResetPage({ request: page, action, link, fault: sentence(person) }));
    }
    return person === null ? invalidLink(page, 'reset') : this.begun(request, person);
  }

  private async begun(request: DashboardRequest, person: { id: string; email: string }): Promise<Redirect> {
    const session = await this.signIn.passwordAccepted(person, clientAddressOf(request));
    return this.browser.intoOrToCode(request, session, { email: person.email, url: BEGINNING });
  }
}

const invalidLink = (request: PageRequest, kind: 'welcome' | 'invite' | 'reset'): RefusedPage =>
  new RefusedPage(InvalidLinkPage({ request, kind }), 404);

/** The message of a refusal instead of what was made. */
async function faultOr<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_REQUEST') return error.message;
    throw error;
  }
}

/** `password must have …` → `The password must have …`. */
function sentence(fault: string): string {
  return `The ${fault.replace(/^email/, 'e-mail')}.`;
}
