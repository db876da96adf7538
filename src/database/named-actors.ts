import { type EntitySubscriberInterface, EventSubscriber, type TransactionStartEvent } from 'typeorm';
import { namingActor } from './actor.js';

/** Tells each transaction its actor, for the audit log. A statement outside a transaction has none. */
@EventSubscriber()
export class NamedActors implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    for (const { statement, values } of namingActor()) await queryRunner.query(statement.text, values);
  }
}
