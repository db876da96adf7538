import { Growth } from './growth.js';
import { type Measured } from './stack.js';

const MEGABYTE = 1024 * 1024;

/** One export of a list. */
export interface Exported {
  seconds: number;
  /** Of the file. */
  megabytes: number;
  /** Megabytes by which the API grew. */
  growth: number;
}

/** All contacts of a team, as CSV. */
export async function exportOnce(api: Measured, apiKey: string): Promise<Exported> {
  const growth = new Growth(api);
  await growth.begin();
  const started = performance.now();
  const answer = await fetch(`${api.url}/api/contacts/export`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    await growth.sample();
  }
  const seconds = (performance.now() - started) / 1_000;
  return { seconds, megabytes: bytes / MEGABYTE, growth: growth.megabytes };
}
