import { Module } from '@nestjs/common';
import { ContactsController } from './contacts.controller.js';
import { ContactsModule } from './contacts.module.js';

/** The HTTP side of contacts; only the API process imports it. */
@Module({ imports: [ContactsModule], controllers: [ContactsController] })
export class ContactsApiModule {}
