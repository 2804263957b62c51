import { Findings } from './asking.ts';
import type { Ask } from './asking.ts';
import { readContract } from './contract.ts';
import { checkDiligence } from './diligence.ts';
import { checkGraph } from './graph.ts';
import { checkLists } from './lists.ts';
import { checkSearch } from './search.ts';
import { checkCatalog, checkRuns, checkUsage } from './usage.ts';

/**
 * What a service's answers say against each other, as one caller gets them: ids that do not resolve, totals that are not what a walk
 * over all pages finds, sums that differ, and what is not known but has a value. The lists are those of its contract.
 */
export async function disagreements(ask: Ask): Promise<{ found: string[]; notAsked: string[] }> {
  const found = new Findings(ask);
  const operations = await readContract(found);
  const at = (path: string) => operations.find((operation) => operation.path === path);
  const [graphAt, searchAt] = [at('/api/graph'), at('/api/search')];
  const graph = graphAt === undefined ? null : await checkGraph(found, graphAt);
  if (graph !== null && searchAt !== undefined) await checkSearch(found, searchAt, graph);
  await checkDiligence(found, at, graph?.repositories ?? []);
  await checkUsage(found);
  await checkCatalog(found);
  const known = { repositories: graph?.repositories ?? [], nodes: graph?.drawn ?? [] };
  const lists = await checkLists(found, operations, known);
  checkRuns(found, lists.get('/api/benchmark/eval-results') ?? []);
  return { found: found.all, notAsked: found.notAsked };
}
