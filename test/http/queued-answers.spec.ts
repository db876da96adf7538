import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { closeQueuedAnswers } from '../../src/http/queued-answers.js';

test('pipelined requests each end once with their connection', async () => {
  const answers: ServerResponse[] = [];
  let closed = 0;
  const server = createServer((_request, response) => {
    answers.push(response.on('close', () => (closed += 1)));
    if (answers.length === 3) server.emit('asked');
  });
  closeQueuedAnswers(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
  await once(server, 'asked');
  const last = once(answers[2] as ServerResponse, 'close');
  socket.destroy();
  await last;
  server.close();
  await once(server, 'close');
  expect(closed).toBe(3);
  expect(answers.map(({ writableFinished }) => writableFinished)).toEqual([false, false, false]);
});

test('answered pipelined requests end once each', async () => {
  let closed = 0;
  const server = createServer((_request, response) => {
    response.on('close', () => (closed += 1));
    setImmediate(() => response.end('x'));
  });
  closeQueuedAnswers(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  server.close();
  await once(server, 'close');
  expect(closed).toBe(2);
});
