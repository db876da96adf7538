const { default: Sequencer } = require('@jest/test-sequencer');
const { FIRST } = require('./order.cjs');

module.exports = class InOrder extends Sequencer {
  /** The files of `FIRST`, then the others in Jest's order. */
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = FIRST.findIndex((file) => path.endsWith(file));
      return rank === -1 ? FIRST.length : rank;
    };
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
};
