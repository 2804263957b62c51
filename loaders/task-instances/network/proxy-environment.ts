import { nameOf, type AllowedHosts } from './allowed-hosts.ts';

/** Where the proxy is for a command in a sandbox: on its own loopback. */
export const proxyPort = 3128;

const loopback = ['localhost', '127.0.0.1', '::1'];

/** Tells the tools of each language of the proxy. What does not heed these variables reaches nothing. */
export function proxyEnvironment(allowed: AllowedHosts): Record<string, string> {
  const url = `http://127.0.0.1:${proxyPort}`;
  const proxied = new Set([...allowed.keys()].map(nameOf));
  // What a setup itself starts, unless a registry of the machine is there.
  const direct = loopback.filter((name) => !proxied.has(name));
  return {
    ...Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, url])),
    NO_PROXY: direct.join(','),
    no_proxy: direct.join(','),
    NODE_USE_ENV_PROXY: '1',
    YARN_HTTP_PROXY: url,
    YARN_HTTPS_PROXY: url,
    JAVA_TOOL_OPTIONS: [
      ...['http', 'https'].flatMap((scheme) => [
        `-D${scheme}.proxyHost=127.0.0.1`,
        `-D${scheme}.proxyPort=${proxyPort}`,
      ]),
      `-Dhttp.nonProxyHosts=${direct.map((name) => (name === '::1' ? '[::1]' : name)).join('|')}`,
      // Maven since 3.9 heeds the others only then.
      '-Daether.connector.http.useSystemProperties=true',
    ].join(' '),
  };
}
