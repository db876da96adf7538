import { type EntitySubscriberInterface, EventSubscriber, type TransactionStartEvent } from 'typeorm';
import { LIMIT_THIS_TRANSACTION } from './session.js';

/**
 * Behind a pooler a session cannot keep limits of time, so each of the operator's transactions sets its own.
 * A statement outside of one holds nothing once it has ended, and is waited for no longer than its socket is.
 */
@EventSubscriber()
export class LimitedTransactions implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    await queryRunner.query(LIMIT_THIS_TRANSACTION);
  }
}
