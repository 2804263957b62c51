# The service and the worker: `docker run IMAGE serve`, `docker run IMAGE worker`. Everything that is written goes to /data and /tmp.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Node is the image's own, and no package has to run anything to be installed.
RUN npm ci --omit=dev --ignore-scripts

# The program as the package has it: what makes it stays here.
FROM node:24-bookworm-slim AS built
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts
COPY cypher ./cypher
COPY index-mappings ./index-mappings
COPY loaders ./loaders
COPY packaging ./packaging
COPY src ./src
RUN node src/explorer/build.ts && node --disable-warning=ExperimentalWarning packaging/build.ts

FROM node:24-bookworm-slim
# bubblewrap keeps the tests of `repo-intel benchmark` apart; it needs a container that may make user namespaces.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git openssh-client patch tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 700 /data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src/cli/repo-intel.js ./src/cli/
COPY --from=built /app/dist/package ./dist/package
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled
# node, by its number, so that a cluster can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=8", "src/cli/repo-intel.js"]
CMD ["serve"]
