/** A patch as text; what is added and what is removed keep their signs, beside their colours. */
export function PatchText({ patch, label }: { patch: string; label: string }) {
  return (
    // Who has no mouse scrolls it once it has the focus.
    <pre class="patch" role="region" aria-label={label} tabIndex={0}>
      {patch
        .replace(/\n$/, '')
        .split('\n')
        .map((line, index) => (
          <span key={index} data-kind={kindOf(line)}>
            {line}
            {'\n'}
          </span>
        ))}
    </pre>
  );
}

function kindOf(line: string): 'head' | 'added' | 'removed' | undefined {
  if (/^(?:diff |index |--- |\+\+\+ |@@ )/.test(line)) return 'head';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : undefined;
}
