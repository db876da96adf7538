import { BODY_SITUATIONS } from './situations-of-bodies.js';
import { KEY_SITUATIONS } from './situations-of-keys.js';
import { LOCK_SITUATIONS } from './situations-of-locks.js';
import { WORK_SITUATIONS } from './situations-of-work.js';
import { type Situation } from './situation.js';

export const SITUATIONS: Situation[] = [
  ...LOCK_SITUATIONS,
  ...BODY_SITUATIONS,
  ...KEY_SITUATIONS,
  ...WORK_SITUATIONS,
];
