import { Logger } from '@nestjs/common';
import { createLogger, type JsonLogger } from '../../src/telemetry/logger.js';
import { CapturedLog, type Line } from './log-lines.js';

/** What a call of the logger writes. */
function written(write: (logger: JsonLogger) => void): Line[] {
  const log = new CapturedLog();
  write(log.logger);
  return log.lines.map(({ time, ...line }) => {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return line;
  });
}

const LINE = { level: 'info', process: 'api' };

test('each line is JSON with level, time, process and context', () => {
  expect(written((logger) => logger.log('up', 'Api'))).toEqual([{ ...LINE, context: 'Api', msg: 'up' }]);
  expect(written((logger) => logger.warn('two\nlines'))).toEqual([
    { ...LINE, level: 'warn', msg: 'two\nlines' },
  ]);
});

test('Nest’s levels have their usual names', () => {
  const levels = written((logger) => {
    for (const level of ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const) logger[level]('x');
  }).map(({ level }) => level);
  expect(levels).toEqual(['fatal', 'error', 'warn', 'info', 'debug', 'trace']);
});

test('the fields of an object are fields of the line', () => {
  const fields = { message: 'request', status: 200, teamId: undefined };
  expect(written((logger) => logger.log(fields, 'Http'))).toEqual([
    { ...LINE, context: 'Http', msg: 'request', status: 200 },
  ]);
});

test('an error is logged as name, code and stack, without the values that Postgres quotes', () => {
  const error = Object.assign(new Error('duplicate key: (+14155552671)'), {
    severity: 'ERROR',
    code: '23505',
    detail: 'Key (phone_number)=(+14155552671) already exists.',
    parameters: ['Ada Lovelace'],
  });
  const [line] = written((logger) => logger.error(error, undefined, 'Http'));
  expect(line?.msg).toMatch(/^Error 23505\n +at /);
  expect(JSON.stringify(line)).not.toMatch(/4155552671|duplicate|Lovelace/);
});

test('the stack that Nest passes beside a message is logged', () => {
  const [line] = written((logger) => logger.error('failed', 'Error: x\n    at y', 'Queue'));
  expect(line).toMatchObject({
    level: 'error',
    context: 'Queue',
    msg: 'failed',
    stack: 'Error: x\n    at y',
  });
});

test('numbers, keys and addresses are masked in any value', () => {
  const [line] = written((logger) =>
    logger.log(
      { message: 'to +14155552671', nested: { key: 'od_live_abc', mail: ['ada@example.com'] } },
      'X',
    ),
  );
  expect(line).toMatchObject({ msg: 'to +141•••71', nested: { key: 'od_•••', mail: ['•••'] } });
});

test('Nest’s lines about its own start have the level debug', () => {
  const lines = written((logger) => {
    logger.log('Mapped {/api/contacts, POST} route', 'RouterExplorer');
    logger.error('no', undefined, 'RouterExplorer');
  });
  expect(lines.map(({ level }) => level)).toEqual(['debug', 'error']);
});

test.each([
  ['error', ['error']],
  ['info', ['error', 'info']],
  ['silent', []],
])('LOG_LEVEL=%s', (logLevel, levels) => {
  let text = '';
  const logger = createLogger({ nodeEnv: 'production', logLevel }, 'worker', {
    write: (line: string) => void (text += line),
  });
  logger.error('a');
  logger.log('b');
  logger.debug('c');
  expect([...text.matchAll(/"level":"(\w+)"/g)].map(([, level]) => level)).toEqual(levels);
});

test('accepts the arguments of Nest’s own Logger', () => {
  const log = new CapturedLog();
  Logger.overrideLogger(log.logger);
  try {
    new Logger('Dial').warn({ message: 'hm', callRequestId: '1' });
  } finally {
    Logger.overrideLogger(false);
  }
  expect(log.lines).toMatchObject([{ level: 'warn', context: 'Dial', msg: 'hm', callRequestId: '1' }]);
});
