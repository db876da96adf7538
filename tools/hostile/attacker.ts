import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Tenant } from '../builds/tenant.js';
import { type Answers } from '../bench/answers.js';

export interface AttackOrder {
  situation: string;
  url: string;
  databaseUrl: string;
  tenants: Tenant[];
  seconds: number;
}

/** An attack that has been prepared and waits for its start. */
export class Attacker {
  private constructor(private readonly child: ChildProcess) {}

  static async prepare(order: AttackOrder): Promise<Attacker> {
    // In a session of its own, whose share of the CPU it can lower.
    const child = fork(join(__dirname, 'attack-process.js'), { detached: true });
    child.send(order);
    const attacker = new Attacker(child);
    await attacker.message();
    return attacker;
  }

  /** @returns what the attack was answered, once it is over. */
  async run(): Promise<Answers> {
    this.child.send('go');
    return (await this.message()) as Answers;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private async message(): Promise<unknown> {
    const controller = new AbortController();
    const { signal } = controller;
    const ended = once(this.child, 'exit', { signal }).then(() => {
      throw new Error('the attack ended before its time');
    });
    try {
      const [message] = (await Promise.race([once(this.child, 'message', { signal }), ended])) as unknown[];
      return message;
    } finally {
      controller.abort();
      ended.catch(() => undefined);
    }
  }
}
