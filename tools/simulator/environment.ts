import { configuredRules } from '../../src/carriers/simulator/parse-rules.js';
import { type SimulatorOptions } from '../../src/carriers/simulator/simulator-options.js';

/** How a simulator behaves, by its process's environment. @throws Error naming the variable at fault. */
export function simulatorOptionsFrom(env: NodeJS.ProcessEnv): SimulatorOptions {
  const rules = configuredRules(env['SIMULATOR_RULES']);
  if (!rules.ok) throw new Error(`SIMULATOR_RULES: ${rules.message}`);
  return {
    rules: rules.rules,
    acceptMs: numberFrom(env, 'SIMULATOR_ACCEPT_MS'),
    ringMs: numberFrom(env, 'SIMULATOR_RING_MS'),
    talkMs: numberFrom(env, 'SIMULATOR_TALK_MS'),
    lateMs: numberFrom(env, 'SIMULATOR_LATE_MS'),
    seed: numberFrom(env, 'SIMULATOR_SEED'),
    dialLogPath: textFrom(env, 'SIMULATOR_DIAL_LOG'),
  };
}

/** An empty variable counts as unset. */
export function textFrom(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

export function numberFrom(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = textFrom(env, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,7}$/.test(text)) throw new Error(`${name}: must be a whole number from 0`);
  return Number(text);
}

export function urlFrom(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = textFrom(env, name);
  if (text !== undefined && !/^https?:\/\//.test(text)) throw new Error(`${name}: must be an http URL`);
  return text;
}

/** For the log of a process that reports: what was given up, without numbers. */
export function givenUp(
  { callRequestId, status }: { callRequestId: string; status: string },
  error: unknown,
) {
  const why = error instanceof Error ? error.message : 'unknown error';
  console.error(`callback given up: ${callRequestId} ${status}: ${why}`);
}
