import { readFileSync } from 'node:fs';

const statements = new Map<string, string>();

/** A statement by the name of its file. */
export function cypher(name: string): string {
  let statement = statements.get(name);
  if (statement === undefined) {
    statement = readFileSync(new URL(`../../../cypher/${name}.cypher`, import.meta.url), 'utf8');
    statements.set(name, statement);
  }
  return statement;
}
