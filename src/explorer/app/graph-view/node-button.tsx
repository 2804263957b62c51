interface Named {
  id: string;
  name: string;
  repository: string | null;
  path: string | null;
}

/** Chooses a node; says where it lies where that is elsewhere. */
export function NodeButton<N extends Named>({
  node,
  from,
  onSelect,
}: {
  node: N;
  /** The repository that is spoken of. */
  from: string | null;
  onSelect: (node: N) => void;
}) {
  const { id, name, repository, path } = node;
  const isElsewhere = repository !== null && repository !== id && repository !== from;
  return (
    <button type="button" class="plain link" title={path ?? undefined} onClick={() => onSelect(node)}>
      {name}
      {isElsewhere && <span class="quiet"> in {repository}</span>}
    </button>
  );
}
