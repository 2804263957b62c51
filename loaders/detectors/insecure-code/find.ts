import { ruleFiles } from './rule-files.ts';
import type { InsecureCodeRule } from './rules.ts';

/** Where a rule found something. */
export interface InsecureCode {
  rule: string;
  line: number;
}

/** By our languages: whose rules hold for them, and what the engine calls them. */
const dialects: Readonly<Record<string, { rules: InsecureCodeRule['language']; engine: string }>> = {
  javascript: { rules: 'TypeScript', engine: 'JavaScript' },
  typescript: { rules: 'TypeScript', engine: 'TypeScript' },
  tsx: { rules: 'TypeScript', engine: 'Tsx' },
  python: { rules: 'Python', engine: 'python' },
  go: { rules: 'Go', engine: 'go' },
  java: { rules: 'Java', engine: 'java' },
};

/** A file made to hold more tells nothing. */
const maxFound = 100;

/** Insecure code in one file, by its lines. It is parsed again only where a rule's hint is in the text. */
export async function findInsecureCode(language: string, source: string): Promise<InsecureCode[]> {
  const dialect = dialects[language];
  const files = ruleFiles().filter(({ language: of, hint }) => of === dialect?.rules && hint.test(source));
  if (!dialect || files.length === 0) return [];
  const { ruleIn } = await import('./rules.ts');
  const parse = await (engine ??= openEngine());
  const root = parse(dialect.engine, source).root();
  const found = files
    .map(ruleIn)
    .flatMap(({ id, matcher }) =>
      root.findAll(matcher).map((node) => ({ rule: id, line: node.range().start.line + 1 })),
    );
  const each = new Map(found.map((one) => [`${one.rule} ${one.line}`, one]));
  return [...each.values()].sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : 1)).slice(0, maxFound);
}

let engine: ReturnType<typeof openEngine> | undefined;

/** Loaded by a thread that needs it, as it is native code. */
async function openEngine() {
  const { parse, registerDynamicLanguage } = await import('@ast-grep/napi');
  const [python, go, java] = await Promise.all([
    import('@ast-grep/lang-python'),
    import('@ast-grep/lang-go'),
    import('@ast-grep/lang-java'),
  ]);
  registerDynamicLanguage({ python: python.default, go: go.default, java: java.default });
  return parse;
}
