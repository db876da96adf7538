import { readFile } from 'node:fs/promises';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';

/** The dials that the carrier has logged; none before its log exists. */
export async function readDials(file: string): Promise<DialRecord[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DialRecord);
}
