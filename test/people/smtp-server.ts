import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** An e-mail as it arrived. */
export interface Arrived {
  from: string;
  to: string[];
  /** Its header and body, decoded. */
  text: string;
}

/** An SMTP server (RFC 5321) without TLS, which keeps what it gets. */
export class SmtpServer {
  readonly arrived: Arrived[] = [];
  /** Whether it refuses every recipient. */
  refuses = false;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SmtpServer> {
    const server = createServer();
    const smtp = new SmtpServer(server);
    server.on('connection', (socket) => smtp.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return smtp;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    let mail: Arrived = { from: '', to: [], text: '' };
    let isData = false;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 test ESMTP');
    socket.setEncoding('utf8').on('data', (piece: string) => {
      rest += piece;
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (isData && line === '.') {
          isData = false;
          this.arrived.push({ ...mail, text: decoded(mail.text) });
          mail = { from: '', to: [], text: '' };
          say('250 kept');
        } else if (isData) mail.text += `${line.replace(/^\./, '')}\r\n`;
        else if (/^(EHLO|HELO)/i.test(line)) say('250 test');
        else if (/^MAIL FROM:/i.test(line)) {
          mail.from = addressIn(line);
          say('250 ok');
        } else if (/^RCPT TO:/i.test(line)) {
          if (this.refuses) say(`550 ${addressIn(line)} is unknown`);
          else {
            mail.to.push(addressIn(line));
            say('250 ok');
          }
        } else if (/^DATA/i.test(line)) {
          isData = true;
          say('354 go on');
        } else if (/^QUIT/i.test(line)) {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
  }
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? '';

/** Without quoted-printable (RFC 2045, 6.7). */
const decoded = (text: string): string =>
  text
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, byte: string) => String.fromCharCode(parseInt(byte, 16)));
