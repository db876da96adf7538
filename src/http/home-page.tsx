import { type RequestHandler } from 'express';
import { renderPage } from './html-page.js';
import { nameRoute } from './route-pattern.js';

const PAGE = renderPage(<HomePage />);

/** Answers browsers at `/` with a page of links; other clients get the 404 of an unknown route. */
export function homePage(): RequestHandler {
  return (request, response, next) => {
    if (request.path !== '/' || request.method !== 'GET') return next();
    nameRoute(request, '/');
    response.vary('Accept');
    if (request.accepts('json', 'html') !== 'html') return next();
    response.set('Cache-Control', 'no-cache').type('html').send(PAGE);
  };
}

function HomePage() {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Outdial</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/style.css" />
      </head>
      <body>
        <main>
          <h1>Outdial</h1>
          <p class="soft">This service places outbound voice-agent calls. This is its API process.</p>
          <section class="card">
            <ul>
              <li>
                <a href="/start">Sign in</a> to the dashboard
              </li>
              <li>
                <a href="/docs">API documentation</a>
              </li>
              <li>
                <a href="/health/ready">Whether it is ready</a>
              </li>
            </ul>
          </section>
        </main>
      </body>
    </html>
  );
}
