import { CODE } from '../languages/reading/classify-lines.ts';

/** An address that stands in the code. */
export interface HardcodedEndpoint {
  line: number;
  /** Scheme and host: no path, no credentials. */
  address: string;
}

const url =
  /\b(https?|wss?|amqps?|rediss?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|kafka|nats|ftp|sftp|ldaps?):\/\/(?:[^\s"'`<>@/]*@)?([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::\d+)?/g;
const address = /["'`](\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?["'`]/g;

const mayHold = /:\/\/|["'`]\d{1,3}\.\d{1,3}\.\d/;

/** Namespaces, documentation, licences and package registries: names that are read, not called. */
const harmless =
  /^(localhost|host\.docker\.internal|0\.0\.0\.0|127\.|255\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|\[|(.*\.)?(example|test|invalid|local|localhost|localdomain)$|(.*\.)?example\.(com|org|net|edu)$|(.*\.)?(w3\.org|json-schema\.org|schema\.org|xmlsoap\.org|openxmlformats\.org|purl\.org|ogp\.me|xmlns\.com|schemas\..*|apache\.org|maven\.org|eclipse\.org|oasis-open\.org|opengis\.net|iana\.org|ietf\.org|rfc-editor\.org|whatwg\.org|ecma-international\.org|unicode\.org|github\.com|githubusercontent\.com|github\.io|gitlab\.com|bitbucket\.org|sourceforge\.net|npmjs\.(com|org)|pypi\.org|python\.org|golang\.org|go\.dev|nodejs\.org|rubygems\.org|crates\.io|docs\.rs|readthedocs\.(io|org)|wikipedia\.org|stackoverflow\.com|stackexchange\.com|mozilla\.org|microsoft\.com|developers?\..*|docs?\..*|help\..*|support\..*|blog\..*|gnu\.org|opensource\.org|creativecommons\.org|spdx\.org|mit-license\.org|medium\.com|youtube\.com|youtu\.be|twitter\.com|x\.com|foo|bar|foo\.(com|bar)|bar\.com|a|b|c|x|host|hostname|server|domain|domain\.com|yourdomain\.com|my-?site\.com|mydomain\.com|acme\.(com|org))$)/i;

/** Addresses of servers on code lines; not those of this machine, of examples, schemas and documentation. */
export function endpointsIn(source: string, kinds: Uint8Array): HardcodedEndpoint[] {
  if (!mayHold.test(source)) return [];
  const found: HardcodedEndpoint[] = [];
  for (const [index, line] of source.split('\n').entries()) {
    if (kinds[index] !== CODE || line.length > 2_000 || !mayHold.test(line)) continue;
    // What follows a comment sign within a code line is no code.
    const code = line.replace(/(^|\s)(\/\/|#)\s.*$/, '$1');
    for (const [, scheme = '', host = ''] of code.matchAll(url))
      if (/[.]/.test(host) && /[a-z\d]$/i.test(host) && !harmless.test(host))
        found.push({ line: index + 1, address: `${scheme}://${host.toLowerCase()}` });
    for (const [, host = ''] of code.matchAll(address))
      if (host.split('.').every((part) => Number(part) < 256) && !harmless.test(host))
        found.push({ line: index + 1, address: host });
  }
  return found;
}
