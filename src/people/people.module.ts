import { Module } from '@nestjs/common';
import { SessionsService } from './sessions.service.js';

/**
 * People who sign in to the dashboard. In come sign-ins, invitations and changes of roles; out go sessions and the
 * person of a request. Tables: `users`, `memberships`, `sessions`, `access_links`.
 */
@Module({ providers: [SessionsService], exports: [SessionsService] })
export class PeopleModule {}
