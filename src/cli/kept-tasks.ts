import type { Organization } from '../model/account.ts';
import type { MintRun } from '../model/mint-run.ts';
import { isRepositoryName } from '../model/repository-key.ts';
import type { TaskInstance } from '../model/task-instance.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import { namedFor } from './repositories.ts';

/** Keeps what an organization has minted, under the keys of its repositories. */
export async function keepTasks(
  { repositories, taskInstances, mintRuns }: Pick<RelationalStore, 'repositories' | 'taskInstances' | 'mintRuns'>,
  { id }: Organization,
  { instances, run }: { instances: readonly TaskInstance[]; run?: MintRun | undefined },
): Promise<Awaited<ReturnType<RelationalStore['taskInstances']['save']>>> {
  const keys = new Map<string, string>();
  for (const { repo } of run ? [run, ...instances] : instances) {
    if (keys.has(repo)) continue;
    if (!isRepositoryName(repo)) throw new Error(`A repository's name has no "~": ${repo} is none.`);
    keys.set(repo, await repositories.claim(id, repo, repo));
  }
  const keyed = <T extends { repo: string }>(each: T): T => ({ ...each, repo: keys.get(each.repo) ?? each.repo });
  const saved = await taskInstances.save(instances.map(keyed));
  if (run) await mintRuns.save(keyed(run));
  return saved;
}

/** The task instances that an organization sees, by id, each with its repository called as there. Its own hide others of their id. */
export async function* taskInstancesOf(
  { repositories, taskInstances }: Pick<RelationalStore, 'repositories' | 'taskInstances'>,
  { id }: Organization,
): AsyncGenerator<TaskInstance> {
  const named = namedFor(await repositories.list(), id);
  let last: { instance: TaskInstance; isOwn: boolean } | null = null;
  for await (const instance of taskInstances.each()) {
    const repository = named.get(instance.repo);
    if (!repository) continue;
    const next = { instance: { ...instance, repo: repository.name }, isOwn: repository.organization_id === id };
    if (last?.instance.instance_id === instance.instance_id) {
      if (next.isOwn) last = next;
      continue;
    }
    if (last) yield last.instance;
    last = next;
  }
  if (last) yield last.instance;
}
