import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { repositoryRoot } from '../../../tools/services/paths.js';

export const dockerfileText = (): string => readFileSync(join(repositoryRoot(), 'Dockerfile'), 'utf8');

/** One `FROM` with all that follows it. */
export interface Stage {
  name: string | null;
  base: string;
  steps: Step[];
}

export type Step =
  | { keyword: 'WORKDIR'; text: string }
  | { keyword: 'USER'; text: string }
  | { keyword: 'RUN'; text: string }
  | { keyword: 'EXPOSE'; ports: number[] }
  | { keyword: 'ENV'; variables: Record<string, string> }
  | { keyword: 'COPY'; from: string | null; sources: string[]; destination: string }
  | { keyword: 'ENTRYPOINT'; argv: string[] }
  | { keyword: 'CMD'; argv: string[] };

/** @throws Error for an instruction that is not supported here. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const words = instruction.getArguments().map((argument) => argument.getValue());
    if (instruction.getKeyword() === 'FROM') {
      const [base = '', as, name = null] = words;
      stages.push({ base, name: as?.toUpperCase() === 'AS' ? name : null, steps: [] });
    } else {
      stages.at(-1)?.steps.push(stepOf(instruction, words));
    }
  }
  return stages;
}

function stepOf(instruction: Instruction, words: string[]): Step {
  const keyword = instruction.getKeyword();
  switch (keyword) {
    case 'WORKDIR':
    case 'USER':
    case 'RUN':
      return { keyword, text: instruction.getArgumentsContent() ?? '' };
    case 'EXPOSE':
      return { keyword, ports: words.map(Number) };
    case 'ENV':
      return { keyword, variables: Object.fromEntries(words.map((word) => word.split('=', 2))) as never };
    case 'COPY': {
      const flags = (instruction as Copy).getFlags();
      if (flags.some((flag) => flag.getName() !== 'from')) throw new Error(`COPY with an unknown flag`);
      return {
        keyword,
        from: flags[0]?.getValue() ?? null,
        sources: words.slice(0, -1),
        destination: words.at(-1) ?? '',
      };
    }
    case 'ENTRYPOINT':
    case 'CMD':
      // Only as a JSON array is it a process, and not a shell around one, which would keep signals to itself.
      return { keyword, argv: JSON.parse(instruction.getArgumentsContent() ?? '') as string[] };
    default:
      throw new Error(`${keyword} is not supported here`);
  }
}

/**
 * Whether `.dockerignore` keeps a path, relative to the context, out of the build. Patterns are those without
 * `**` and `!`.
 */
export function ignoring(patterns: string): (path: string) => boolean {
  const rules = patterns.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const strange = rules.find((rule) => /\*\*|^!|[?[\]]/.test(rule));
  if (strange !== undefined) throw new Error(`.dockerignore: ${strange} is not supported here`);
  const expressions = rules.map(
    (rule) => new RegExp(`^${rule.split('*').map(escapeRegExp).join('[^/]*')}(/|$)`),
  );
  return (path) => expressions.some((expression) => expression.test(path));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.+^${}()|\\]/g, '\\$&');
}
