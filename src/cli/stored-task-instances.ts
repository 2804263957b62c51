import type { Config } from '../config.ts';
import type { TaskInstance } from '../model/task-instance.ts';
import type { Io } from './io.ts';
import type { OrganizationFlag } from './organization-option.ts';
import { openSession } from './session.ts';

/** The task instances of an organization that are kept here, or by the repo-intel that has the stores. */
export async function storedTaskInstances(
  config: Config,
  io: Io,
  { organization }: OrganizationFlag,
): Promise<TaskInstance[]> {
  let text = '';
  const session = await openSession(config, { ...io, out: (part) => void (text += part) });
  try {
    await session.run('benchmark.instances', { organization });
  } finally {
    await session.close();
  }
  // Checked before they were saved.
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as TaskInstance]));
}
