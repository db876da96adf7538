# One image for the API, the worker, the migrations and the commands: they differ in their command alone.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY migrations ./migrations
COPY packs ./packs
COPY tools ./tools
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force

FROM node:24-bookworm-slim
# As process 1 it forwards signals and reaps orphaned processes, which node does not; no runtime needs `--init`.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production TZ=UTC
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY licenses ./licenses
# By its number, so that an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 3000 3001
ENTRYPOINT ["/usr/bin/tini", "--"]
# Not through npm: signals must reach the process that finishes its calls before it ends.
# With the reducer, V8 throws compiled code away while nothing happens: nine o'clock would find the process half as fast for seconds.
CMD ["node", "--no-memory-reducer", "--v8-pool-size=1", "dist/src/main.js"]
