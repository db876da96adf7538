/** Refusals that the contract answers with 500. */
const OF_THE_CONTRACT = [
  'AGENT_NOT_FOUND',
  'INVALID_API_KEY',
  'DO_NOT_CALL',
  'RECENTLY_CALLED',
  'ALREADY_SCHEDULED',
];

/**
 * How often something was answered, such as `200`, `500 SERVICE_UNAVAILABLE` or `none` (the connection ended
 * without an answer).
 */
export type Answers = Record<string, number>;

export function count(answers: Answers, answer: string): void {
  answers[answer] = (answers[answer] ?? 0) + 1;
}

/** @param body the first bytes of it. */
export function nameOf(status: number, body: string): string {
  const reason = /"reason":"(\w+)"/.exec(body)?.[1];
  return reason === undefined ? String(status) : `${status} ${reason}`;
}

/** 5xx that are no refusal of the contract. */
export function serverErrors(answers: Answers): number {
  const errors = Object.entries(answers).filter(
    ([answer]) => answer.startsWith('5') && !OF_THE_CONTRACT.includes(answer.split(' ')[1] ?? ''),
  );
  return errors.reduce((sum, [, times]) => sum + times, 0);
}

export function shown(answers: Answers): string {
  const sorted = Object.entries(answers).sort(([, a], [, b]) => b - a);
  return sorted.map(([answer, times]) => `${answer}: ${times}`).join(', ') || '–';
}
