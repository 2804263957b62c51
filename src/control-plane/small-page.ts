import { escapeHtml } from '../http/docs-page.ts';

const style = `
body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; }
a { color: #0550ae; } dt { color: #57606a; } dd { margin: 0 0 0.6rem; }
`;

/** A page for people that says one thing; the content is HTML. */
export const smallPage = (title: string, content: readonly string[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style>${style}</style></head>
<body>
<h1>${escapeHtml(title)}</h1>
${content.join('\n')}
</body>
</html>
`;
