import { type Page } from '../http/page.js';
import { type Command, type Invocation, type Output, record } from './command.js';
import { fieldOptions, type FlagSpec } from './field-options.js';
import { fieldsOf, operationNamed } from './operations.js';
import { UsageError } from './usage-error.js';

/** A command that sends one operation. */
interface OperationCommand<Answer> {
  name: string;
  /** The id of the operation. What is not said here follows from the API's document. */
  operation: string;
  summary?: string;
  /** The field of each argument. */
  args?: Readonly<Record<string, string>>;
  /** What options say otherwise than the document does; by the names of their fields. */
  flags?: Readonly<Record<string, FlagSpec>>;
  /** The whole body, instead of options. */
  body?: Readonly<Record<string, unknown>>;
  /** What a list shows of its items. */
  columns?: readonly string[];
  /** What the list of a team's key shows of its items, if they are otherwise. */
  columnsByKey?: readonly string[];
  /** How the answer is shown otherwise than by its fields. */
  show?: (answer: Answer, call: Invocation) => Output;
}

export function operationCommand<Answer extends object = object>({
  name,
  operation: id,
  args = {},
  flags,
  body,
  columns,
  columnsByKey = columns,
  show,
  ...about
}: OperationCommand<Answer>): Command {
  const operation = operationNamed(id);
  const { surface } = operation.about;
  const isOfTeam = surface === 'team' || operation.pathParameters.includes('teamId');
  const fieldsIn = (place: 'path' | 'body') =>
    Object.entries(fieldsOf(operation)).flatMap(([field, about]) => (about.in === place ? [field] : []));
  return {
    name,
    summary: about.summary ?? operation.operation.summary,
    description: operation.operation.description,
    operations: [id],
    args: Object.keys(args),
    team: isOfTeam && !Object.values(args).includes('teamId'),
    get fields() {
      const without = ['teamId', ...Object.values(args), ...(body === undefined ? [] : fieldsIn('body'))];
      return fieldOptions(id, { without, flags });
    },
    run: async (call) => {
      const sent: Record<string, unknown> = { ...call.fields(), ...body };
      for (const [arg, field] of Object.entries(args)) sent[field] = call.arg(arg);
      const ofBody = fieldsIn('body');
      if (ofBody.length > 0 && !ofBody.some((field) => sent[field] !== undefined)) {
        throw new UsageError('Nothing to change: --help shows the fields');
      }
      for (const field of fieldsIn('path')) {
        const given = sent[field] as string | undefined;
        if (given === undefined) continue;
        if (field === 'teamId') sent[field] = await call.teamNamed(given);
        if (field === 'campaignId' || field === args.campaign) sent[field] = await call.campaignNamed(given);
      }
      const answer = await call.send<Answer>(id, sent);
      if (show !== undefined) return show(answer, call);
      const shown = call.api === undefined ? columns : columnsByKey;
      if (shown !== undefined) return { kind: 'page', page: answer as Page<object>, columns: shown };
      return record(answer);
    },
  };
}
