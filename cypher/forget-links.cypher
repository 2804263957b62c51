// Whose links are no longer whole when this repository changes: its own, and those that lead to it.
MATCH (s:Snapshot)
WHERE s.repository = $repository OR $repository IN s.linked
SET s.links = NULL
RETURN s.repository AS repository
