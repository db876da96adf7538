import { type EntitySubscriberInterface, EventSubscriber, type TransactionStartEvent } from 'typeorm';
import { currentActor } from './actor.js';

/** Tells each transaction its actor, for the audit log. A statement outside a transaction has none. */
@EventSubscriber()
export class NamedActors implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    const actor = currentActor();
    if (actor === null) return;
    await queryRunner.query("SELECT set_config('outdial.actor', $1, true)", [JSON.stringify(actor)]);
  }
}
