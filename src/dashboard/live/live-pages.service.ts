import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Response } from 'express';
import { DataSource } from 'typeorm';
import { AppError } from '../../http/app-error.js';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { SessionsService } from '../../people/sessions.service.js';
import { describeError } from '../../telemetry/describe-error.js';
import { SIGN_OF_PLATFORM, type SignRow, SIGNS_OF_TEAMS } from './live.sql.js';

// Milliseconds.
const LOOK_MS = 2_000;
/** A page is told of differences no more often than this. */
const SHORTEST_PAUSE_MS = 5_000;
/** A page is told without a difference, because what is late becomes later. */
const LONGEST_PAUSE_MS = 30_000;
/** Proxies and the server close a connection that is silent for longer. */
const SILENCE_MS = 15_000;
/** The browser connects again, and its request is checked as every other. */
const LONGEST_MS = 15 * 60_000;

/** The most open connections of a process, of a team or the platform, and of a session. */
export const MOST_CONNECTIONS = { process: 500, team: 50, session: 6 };
type Bound = keyof typeof MOST_CONNECTIONS;

/** What is buffered for a client that does not read. Beyond it, the connection is cut off. */
const MOST_BUFFERED = 16_384;

const PLATFORM = 'platform';

/** A page that wants to know when it is out of date. */
export interface LivePage {
  /** Null: the platform. */
  teamId: string | null;
  /** Of the session's cookie. */
  token: string;
}

interface Connection extends LivePage {
  response: Response;
  openedAt: number;
  /** When the page was last told that it is out of date, and when anything was last written. */
  toldAt: number;
  wroteAt: number;
  sign: string | null;
}

/**
 * Tells open pages by server-sent events when they are out of date; a page then asks for its parts as a browser asks
 * for the page, so that its rights are checked again and no event holds any data. One look serves all connections of
 * this process: a statement for their sessions, one for their teams, and one for the platform.
 *
 * A connection ends with its session: at sign-out, with a changed role, or when the session has ended by itself. All
 * end when the process stops.
 */
@Injectable()
export class LivePages implements OnModuleDestroy {
  private readonly logger = new Logger(LivePages.name);
  private readonly open = new Set<Connection>();
  private readonly loop = new PeriodicLoop(() => this.look(), LOOK_MS);
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
  ) {}

  /** The number of open connections. */
  get size(): number {
    return this.open.size;
  }

  /** Answers a request with events until either side closes. @throws AppError `RATE_LIMITED` beyond the bounds. */
  add(page: LivePage, response: Response): void {
    if (this.stopping) throw new AppError('SERVICE_UNAVAILABLE', 'This process is stopping');
    const full = this.fullFor(page);
    if (full !== null) throw new AppError('RATE_LIMITED', `Too many live pages of this ${full}: close some`);
    const now = performance.now();
    const connection = { ...page, response, openedAt: now, toldAt: now, wroteAt: now, sign: null };
    this.open.add(connection);
    response.once('close', () => this.open.delete(connection));
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies pass each event on as it comes.
      'X-Accel-Buffering': 'no',
    });
    // A browser that was cut off waits for so many milliseconds.
    response.write('retry: 2000\n\n');
  }

  /** Looks now; otherwise, it looks every two seconds. */
  async look(): Promise<void> {
    if (this.open.size === 0) return;
    const connections = [...this.open];
    try {
      const isOpen = await this.sessions.areOpen([...new Set(connections.map(({ token }) => token))]);
      const signs = await this.signsOf(connections.filter(({ token }) => isOpen.has(token)));
      for (const connection of connections) {
        if (isOpen.has(connection.token)) this.tell(connection, signs.get(keyOf(connection)) ?? '');
        else this.end(connection, 'ended');
      }
    } catch (error) {
      this.logger.warn(`Live pages are not told: ${describeError(error)}`);
      for (const connection of connections) this.keep(connection);
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.loop.stop();
    for (const connection of this.open) this.end(connection);
  }

  private fullFor({ teamId, token }: LivePage): Bound | null {
    const all = [...this.open];
    const counts: Record<Bound, number> = {
      session: all.filter((one) => one.token === token).length,
      team: all.filter((one) => one.teamId === teamId).length,
      process: all.length,
    };
    const bounds = Object.keys(counts) as Bound[];
    return bounds.find((bound) => counts[bound] >= MOST_CONNECTIONS[bound]) ?? null;
  }

  /** By team, or {@link PLATFORM}. */
  private async signsOf(connections: readonly Connection[]): Promise<Map<string, string>> {
    const teams = [...new Set(connections.flatMap(({ teamId }) => (teamId === null ? [] : [teamId])))];
    const ofTeams = teams.length === 0 ? [] : await this.dataSource.query<SignRow[]>(SIGNS_OF_TEAMS, [teams]);
    const signs = new Map(ofTeams.map(({ team, sign }) => [team, sign]));
    if (connections.some(({ teamId }) => teamId === null)) {
      const [all] = await this.dataSource.query<{ sign: string }[]>(SIGN_OF_PLATFORM);
      signs.set(PLATFORM, all?.sign ?? '');
    }
    return signs;
  }

  private tell(connection: Connection, sign: string): void {
    const now = performance.now();
    if (now - connection.openedAt >= LONGEST_MS) return this.end(connection);
    // The page is as new as the connection.
    connection.sign ??= sign;
    const pauseMs = now - connection.toldAt;
    const differs = connection.sign !== sign && pauseMs >= SHORTEST_PAUSE_MS;
    if (!differs && pauseMs < LONGEST_PAUSE_MS) return this.keep(connection);
    Object.assign(connection, { sign, toldAt: now });
    this.write(connection, event('changed'));
  }

  private keep(connection: Connection): void {
    if (performance.now() - connection.wroteAt >= SILENCE_MS) this.write(connection, ':\n\n');
  }

  private write(connection: Connection, text: string): void {
    const { response } = connection;
    if (response.writableLength > MOST_BUFFERED) response.destroy();
    else response.write(text);
    connection.wroteAt = performance.now();
  }

  /** @param name of the last event; without it, the browser connects again. */
  private end(connection: Connection, name?: string): void {
    this.open.delete(connection);
    connection.response.end(name === undefined ? '' : event(name));
  }
}

const keyOf = ({ teamId }: LivePage): string => teamId ?? PLATFORM;

const event = (name: string): string => `event: ${name}\ndata:\n\n`;
