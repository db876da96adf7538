import { Module } from '@nestjs/common';
import { ContactsService } from './contacts.service.js';

/**
 * The contacts of teams. In come contacts by a team's key; out goes the stored contact. Triggers and enrollments store contacts
 * in their own statements. Table: `contacts`.
 */
@Module({ providers: [ContactsService], exports: [ContactsService] })
export class ContactsModule {}
