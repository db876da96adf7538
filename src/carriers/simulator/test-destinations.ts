import { type SimulatorRule } from './rules.js';

/**
 * The rules if none are configured: numbers with fixed outcomes, such as carriers provide for tests. +1 500
 * 555 01xx belongs to no subscriber. Calls to all other numbers are answered and completed.
 */
export const TEST_DESTINATIONS: readonly SimulatorRule[] = [
  { match: '+15005550101', outcome: 'busy' },
  { match: '+15005550102', outcome: 'no_answer' },
  { match: '+15005550103', outcome: 'voicemail' },
  { match: '+15005550104', outcome: 'failed' },
  { match: '+15005550105', outcome: 'refuse' },
  { match: '+15005550106', outcome: 'hang' },
  { match: '+15005550107', outcomes: ['no_answer', 'completed'] },
  { match: '+15005550108', outcomes: ['busy', 'no_answer', 'completed'] },
  { match: '+15005550109', outcome: 'declined' },
  { match: '+15005550110', outcome: 'network_blocked' },
];
