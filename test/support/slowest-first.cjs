const { default: Sequencer } = require('@jest/test-sequencer');
const { SLOWEST } = require('./speeds.cjs');

module.exports = class SlowestFirst extends Sequencer {
  /** Jest's order, but begins with the slowest files of which Jest knows no duration. */
  sort(tests) {
    const sorted = [...super.sort(tests)];
    const rankOf = ({ path, duration }) => {
      const rank = duration === undefined ? SLOWEST.findIndex((file) => path.endsWith(file)) : -1;
      return rank === -1 ? SLOWEST.length : rank;
    };
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
};
