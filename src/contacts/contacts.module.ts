import { Module } from '@nestjs/common';
import { ContactsService } from './contacts.service.js';

/** Whom the teams call. */
@Module({ providers: [ContactsService], exports: [ContactsService] })
export class ContactsModule {}
