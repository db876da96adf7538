import { Module } from '@nestjs/common';
import { EnrollService } from '../campaigns/enrollment/enroll.service.js';
import { ContactsService } from './contacts.service.js';

/**
 * The contacts of teams. In come contacts by a team's key; out goes the stored contact. A trigger does not
 * use this module: its statement stores the contact. Table: `contacts`.
 */
@Module({ providers: [ContactsService, EnrollService], exports: [ContactsService] })
export class ContactsModule {}
