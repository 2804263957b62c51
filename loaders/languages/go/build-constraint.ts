/** The build that people mean who say nothing else: `go build` on a server. */
const usual: ReadonlySet<string> = new Set(['linux', 'amd64', 'unix', 'gc', 'cgo', 'true']);

/** Minor of Go 1; a tag for a later one holds for nobody yet. */
const newestRelease = 26;

/** What a file's name may end with before `.go`: an operating system, a processor, or both. */
const systems = names(
  'aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows zos',
);
const processors = names(
  '386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm',
);

/** By its name or its `//go:build` line the usual build leaves this file out. */
export function isConditional(path: string, source: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/(?:_test)?\.go$/, '');
  const [, ...parts] = file.split('_');
  const processor = parts.at(-1) ?? '';
  const system = processors.has(processor) ? (parts.at(-2) ?? '') : processor;
  if ((processors.has(processor) && !usual.has(processor)) || (systems.has(system) && !usual.has(system))) return true;
  const head = source.slice(0, source.search(/^package\s/m));
  const constraint = /^\/\/go:build (.+)$/m.exec(head)?.[1] ?? beforeGo117(head);
  return constraint !== '' && !holds(constraint);
}

/** `// +build linux,!cgo darwin`: a comma is "and", a space "or", a line "and". */
function beforeGo117(head: string): string {
  const lines = [...head.matchAll(/^\/\/ ?\+build (.+)$/gm)].map(([, line = '']) => line.trim());
  return lines.map((line) => `(${line.replaceAll(',', '&&').replace(/\s+/g, '||')})`).join('&&');
}

/** `(linux || darwin) && !cgo`, reduced step by step to one digit. */
function holds(constraint: string): boolean {
  let rest = constraint.replace(/[\w.]+/g, (tag) => (usual.has(tag) || isReleased(tag) ? '1' : '0')).replace(/\s/g, '');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest
      .replace(/!([01])/g, (_, digit) => (digit === '0' ? '1' : '0'))
      .replace(/\(([01])\)/g, '$1')
      .replace(/([01])&&([01])/g, (_, a, b) => (a === '1' && b === '1' ? '1' : '0'))
      .replace(/(?<!&&)([01])\|\|([01])(?!&&)/g, (_, a, b) => (a === '1' || b === '1' ? '1' : '0'));
  }
  return rest !== '0';
}

function isReleased(tag: string): boolean {
  const minor = /^go1\.(\d+)$/.exec(tag)?.[1];
  return minor !== undefined && Number(minor) <= newestRelease;
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
