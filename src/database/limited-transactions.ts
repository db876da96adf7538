import { type EntitySubscriberInterface, EventSubscriber, type TransactionStartEvent } from 'typeorm';
import { LIMIT_THIS_TRANSACTION } from './session.js';

/**
 * A session behind a pooler cannot keep time limits, so each transaction of the operator sets them. A
 * statement outside a transaction runs without them. It holds no lock after its end, and the socket's timeout
 * limits the wait for its result.
 */
@EventSubscriber()
export class LimitedTransactions implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    await queryRunner.query(LIMIT_THIS_TRANSACTION);
  }
}
