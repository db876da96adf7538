import { AsyncLocalStorage } from 'node:async_hooks';
import { type Query, query, type Statement } from './transactions.js';

/** $1 the actor as JSON. */
const NAME_ACTOR: Statement = { name: 'name_actor', text: "SELECT set_config('outdial.actor', $1, true)" };

/** Who changes something: as the audit log says it. */
export interface Actor {
  /** `token` is the operator's token, `system` a process of its own accord. */
  kind: 'user' | 'key' | 'token' | 'cli' | 'system';
  /** Of the user or the key; else null. */
  id: string | null;
  /** Instead of the id and name of a key: its SHA-256 in hexadecimal digits, by which Postgres finds both. */
  keyHash?: string;
  /** The user's e-mail, the key's name, or the name of the account of the command line. */
  name: string | null;
  /** The client's IP address; null on the command line. */
  address: string | null;
}

const actors = new AsyncLocalStorage<{ actor: Actor | null; fixed: boolean }>();

/**
 * Runs a request or a command with a store for its actor.
 * @param actor of a command, which {@link actAs} does not change. By default, {@link actAs} sets the actor later.
 */
export function withActor<T>(work: () => T, actor: Actor | null = null): T {
  return actors.run({ actor, fixed: actor !== null }, work);
}

/**
 * Names the actor of what {@link withActor} runs; outside, it does nothing.
 * @param actor or a function that returns it, which is called only if it is needed.
 */
export function actAs(actor: Actor | (() => Actor)): void {
  const store = actors.getStore();
  if (store !== undefined && !store.fixed) store.actor = typeof actor === 'function' ? actor() : actor;
}

/** A statement that names the actor until the transaction ends; none without an actor. */
export function namingActor(): Query[] {
  const actor = currentActor();
  return actor === null ? [] : [query(NAME_ACTOR, JSON.stringify(actor))];
}

/** The actor of this request or command; null outside, and before it is named. */
export function currentActor(): Actor | null {
  return actors.getStore()?.actor ?? null;
}
