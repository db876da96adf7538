import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type Express } from 'express';

/**
 * An HTTP server whose requests and responses are Express' own from the start.
 *
 * Express sets the prototype of each request and response. After such a change, V8's collections of the young
 * generation do not free many of the objects to which the request and the response refer. These objects are
 * four tenths of all memory that requests allocate, and cause pauses of 4 to 20 ms. If the prototype is right
 * already, Express does not change it.
 */
export class ExpressServer {
  readonly server: Server;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;

  constructor(options: ServerOptions = {}) {
    class OwnRequest extends IncomingMessage {}
    class OwnResponse extends ServerResponse {}
    this.request = OwnRequest.prototype;
    this.response = OwnResponse.prototype;
    this.server = createServer({ ...options, IncomingMessage: OwnRequest, ServerResponse: OwnResponse });
  }

  /** Makes the server's requests and responses those of `app`. A server has one application. */
  belongTo(app: Express): void {
    Object.setPrototypeOf(this.request, app.request as object);
    Object.setPrototypeOf(this.response, app.response as object);
    Object.assign(app, { request: this.request, response: this.response });
  }
}

/** Nest's adapter for Express on an existing server. Nest closes the server with the application. */
export class ServerAdapter extends ExpressAdapter {
  constructor(private readonly own: ExpressServer) {
    super();
    own.belongTo(this.getInstance<Express>());
  }

  /** Creates an adapter with a server of its own, which passes every request to the application. */
  static standalone(): ServerAdapter {
    const own = new ExpressServer();
    const adapter = new ServerAdapter(own);
    own.server.on('request', adapter.getInstance<Express>());
    return adapter;
  }

  override initHttpServer(): void {
    this.httpServer = this.own.server;
  }
}
