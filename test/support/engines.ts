import type { Context } from 'mocha';

/** The engines that run as servers, where a test finds one (`variable`) and which container stands in (`image`). */
const engines = {
  postgres: {
    variable: 'DATABASE_TEST_URL',
    image: 'postgres:15-alpine',
    port: 5432,
    environment: { POSTGRES_PASSWORD: 'test' },
    // It starts twice: the first time only to make the cluster.
    ready: { line: /ready to accept connections/, times: 2 },
    url: (address: string) => `postgres://postgres:test@${address}/postgres`,
  },
  redis: {
    variable: 'REDIS_TEST_URL',
    image: 'redis:7-alpine',
    port: 6379,
    environment: {},
    ready: { line: /Ready to accept connections/, times: 1 },
    url: (address: string) => `redis://${address}`,
  },
  neo4j: {
    variable: 'NEO4J_TEST_URL',
    image: 'neo4j:5',
    port: 7687,
    environment: { NEO4J_AUTH: 'none' },
    ready: { line: /Started\./, times: 1 },
    url: (address: string) => `bolt://${address}`,
  },
  elasticsearch: {
    variable: 'ELASTICSEARCH_TEST_URL',
    image: 'docker.elastic.co/elasticsearch/elasticsearch:9.2.0',
    port: 9200,
    environment: {
      'discovery.type': 'single-node',
      'xpack.security.enabled': 'false',
      ES_JAVA_OPTS: '-Xms512m -Xmx512m',
    },
    ready: { line: /"message":\s*"started/, times: 1 },
    url: (address: string) => `http://${address}`,
  },
};

/**
 * For a `before` hook: the URL of a running engine, from its variable, else of a container that lives as long as this run.
 * Where there is neither the suite is skipped with the reason, or fails when REQUIRE_ENGINES is 1.
 */
export async function engineUrl(context: Context, name: keyof typeof engines): Promise<string> {
  const { variable } = engines[name];
  const url = process.env[variable];
  if (url !== undefined && url !== '') return url;
  try {
    context.timeout(180_000);
    return await (containers[name] ??= startContainer(name));
  } catch (error) {
    const reason = `${name}: ${variable} is not set, and no container: ${error instanceof Error ? error.message : String(error)}`;
    if (process.env['REQUIRE_ENGINES'] === '1') throw new Error(reason, { cause: error });
    console.warn(`      skipped: ${reason}`);
    return context.skip();
  }
}

const containers: Partial<Record<keyof typeof engines, Promise<string>>> = {};

async function startContainer(name: keyof typeof engines): Promise<string> {
  const { image, port, environment, ready, url } = engines[name];
  // Loaded only here: it takes a second, and most machines that run the tests have no containers.
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(image)
    .withExposedPorts(port)
    .withEnvironment(environment)
    .withWaitStrategy(Wait.forLogMessage(ready.line, ready.times))
    .start();
  return url(`${container.getHost()}:${container.getMappedPort(port)}`);
}
