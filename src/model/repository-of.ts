/** The repository that a node belongs to, by its id; a contributor belongs to none. */
export function repositoryOf(id: string): string {
  const end = id.indexOf('/');
  return end < 0 ? id : id.slice(0, end);
}
