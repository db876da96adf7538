import { createServer, type Socket } from 'node:net';

/** Answers one command, in RESP; undefined: nothing is said. */
export type Reply = (command: string[]) => string | undefined;

export const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
export const array = (...texts: string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`;
export const refuse = (text: string) => `-${text}\r\n`;

/** A server that is set up as no test may set up the Redis that all tests share. */
export async function startFakeRedis(reply: Reply): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      for (const command of commandsIn(chunk.toString())) {
        const answer = reply(command) ?? (command[0] === 'client' ? '+OK\r\n' : undefined);
        if (answer !== undefined) socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `redis://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The commands of one chunk; short ones come whole. */
function commandsIn(text: string): string[][] {
  const lines = text.split('\r\n');
  const commands: string[][] = [];
  for (let i = 0; i < lines.length;) {
    const count = /^\*(\d+)$/.exec(lines[i] ?? '')?.[1];
    i += 1;
    if (count === undefined) continue;
    const words = Array.from({ length: Number(count) }, (_, word) => lines[i + word * 2 + 1] ?? '');
    commands.push([(words[0] ?? '').toLowerCase(), ...words.slice(1)]);
    i += Number(count) * 2;
  }
  return commands;
}
