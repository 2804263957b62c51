import type { Problem } from './problems.ts';
import type { Limits } from './rate-limit.ts';

/** What the pages are made from. */
export interface DocsContext {
  service: { title: string; version: string; description: string };
  baseUrl: string;
  docsBase: string;
  limits: Limits;
  problems: readonly Problem[];
}

const style = `
body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
nav a { margin-right: 1rem; } a { color: #0550ae; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; background: #f2f4f7; border-radius: 4px; }
code { padding: 0.1em 0.3em; } pre { padding: 0.8rem; overflow-x: auto; } pre code { padding: 0; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; vertical-align: top; border-bottom: 1px solid #d8dee4; }
`;

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function page(title: string, content: string, { service, docsBase, baseUrl }: DocsContext): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(`${title} - ${service.title}`)}</title>
<style>${style}</style></head>
<body>
<nav><a href="${escape(docsBase)}">Documentation</a><a href="${escape(docsBase)}/authentication">Authentication</a><a href="${escape(docsBase)}/rate-limits">Rate limits</a><a href="${escape(baseUrl)}/openapi.json">openapi.json</a></nav>
<h1>${escape(title)}</h1>
${content}
</body>
</html>
`;
}

/** Where to begin, and the list of error codes. */
export function indexPage(context: DocsContext): string {
  const { service, baseUrl, docsBase, problems } = context;
  const rows = problems.map(
    ({ status, code, title }) =>
      `<tr><td>${status}</td><td><a href="${escape(docsBase)}/errors/${escape(code)}"><code>${escape(code)}</code></a></td><td>${escape(title)}</td></tr>`,
  );
  return page(
    service.title,
    `<p>${escape(service.description)}</p>
<p>The service is at <code>${escape(baseUrl)}</code>; every route, parameter and field is in <a href="${escape(baseUrl)}/openapi.json">openapi.json</a>.</p>
<pre><code>curl -H "Authorization: Bearer $API_KEY" ${escape(baseUrl)}/</code></pre>
<h2>Errors</h2>
<p>An error is a JSON object (RFC 9457) with <code>status</code>, <code>code</code>, <code>title</code>, <code>detail</code>,
<code>docs_url</code> and <code>request_id</code>. Codes are part of the contract; texts are not.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`,
    context,
  );
}

/** How to prove who is calling. */
export function authenticationPage(context: DocsContext): string {
  return page(
    'Authentication',
    `<p>Send an API key of a member of your organization as a bearer token:</p>
<pre><code>curl -H "Authorization: Bearer $API_KEY" ${escape(context.baseUrl)}/</code></pre>
<ul>
<li>Keep the key in an environment variable or a secret manager: not in a repository, not in a web page, not in a URL.</li>
<li>A missing, mistyped, unknown, revoked or expired key is answered with <strong>401</strong>. No key in a query string and no payment header is accepted instead.</li>
<li>A key whose member lacks the role that an operation asks for is answered with <strong>403</strong>; <code>required_roles</code> names those that may.</li>
<li>A key is shown once, when it is made. Whoever runs the service makes keys with <code>repo-intel keys create --organization NAME --role member</code>.</li>
</ul>`,
    context,
  );
}

/** How much a caller may ask. */
export function rateLimitsPage(context: DocsContext): string {
  const { organization, named, address } = context.limits;
  const rows = [
    ...organization.map((quota) => ({ quota, per: 'organization' })),
    ...named.map((quota) => ({ quota, per: 'organization, on some routes' })),
    ...address.map((quota) => ({ quota, per: 'address, on public routes' })),
  ].map(
    ({ quota: { name, requests, window_seconds }, per }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${requests} in ${window_seconds} s</td><td>${per}</td></tr>`,
  );
  return page(
    'Rate limits',
    `<p>Each authenticated response says what is left in <code>RateLimit</code> and <code>X-RateLimit-Remaining</code>.
Beyond a quota the answer is <strong>429</strong>; wait as many seconds as <code>Retry-After</code> says. A 304 costs nothing.</p>
<table><thead><tr><th>Quota</th><th>Requests</th><th>For each</th></tr></thead><tbody>
${rows.join('\n') || '<tr><td colspan="3">This instance has no limits.</td></tr>'}
</tbody></table>`,
    context,
  );
}

/** One error code: when it comes and what to do. */
export function errorPage({ code, status, title, meaning }: Problem, context: DocsContext): string {
  return page(
    code,
    `<p>HTTP status <strong>${status}</strong>: ${escape(title)}.</p>
<p>${escape(meaning)}</p>`,
    context,
  );
}
