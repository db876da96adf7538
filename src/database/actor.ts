import { AsyncLocalStorage } from 'node:async_hooks';

/** Who changes something: as the audit log says it. */
export interface Actor {
  /** `token` is the operator's token, `system` a process of its own accord. */
  kind: 'user' | 'key' | 'token' | 'cli' | 'system';
  /** Of the user or the key; else null. */
  id: string | null;
  /** The user's e-mail, the key's name, or the name of the account of the command line. */
  name: string | null;
  /** The client's IP address; null on the command line. */
  address: string | null;
}

const actors = new AsyncLocalStorage<{ actor: Actor | null }>();

/** Runs a request or a command whose actor is told later, by {@link actAs}. */
export function withActor<T>(work: () => T, actor: Actor | null = null): T {
  return actors.run({ actor }, work);
}

/** Names the actor of what {@link withActor} runs. */
export function actAs(actor: Actor): void {
  const store = actors.getStore();
  if (store !== undefined) store.actor = actor;
}

/** The actor of this request or command; null outside, and before it is named. */
export function currentActor(): Actor | null {
  return actors.getStore()?.actor ?? null;
}
