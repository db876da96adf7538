import { readFileSync } from 'node:fs';

/** With this suffix in its name, a variable holds the path of a file with the value. */
const SUFFIX = '_FILE';

/** The environment with the values from files, and the problem of each bad file, by the variable's name. */
export interface FileVariables {
  env: NodeJS.ProcessEnv;
  problems: Map<string, string>;
}

/**
 * Reads `OPERATOR_TOKEN` from the file that `OPERATOR_TOKEN_FILE` names, and so on for each of `names`.
 * Secrets are mounted as files, because an inspection of the process shows its environment. The last line
 * break is not part of the value. Problems name variables, never paths or content.
 */
export function readFileVariables(outer: NodeJS.ProcessEnv, names: readonly string[]): FileVariables {
  const env = { ...outer };
  const problems = new Map<string, string>();
  for (const name of names) {
    const path = env[name + SUFFIX];
    if (!path) continue;
    delete env[name + SUFFIX];
    if (env[name]) {
      problems.set(name, `${name}: is set, and so is ${name}${SUFFIX}; keep one of them`);
      continue;
    }
    const read = readValue(path);
    if (read.ok) env[name] = read.value;
    else problems.set(name, `${name}${SUFFIX}: ${read.problem}`);
  }
  return { env, problems };
}

function readValue(path: string): { ok: true; value: string } | { ok: false; problem: string } {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    return {
      ok: false,
      problem: `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`,
    };
  }
  const value = content.replace(/\r?\n$/, '');
  return value === '' ? { ok: false, problem: 'names a file that is empty' } : { ok: true, value };
}
