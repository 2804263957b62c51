// Another load of it, other links of its own, or other links into it of anybody who is seen.
MATCH (s:Snapshot {repository: $repository})
WHERE $within IS NULL OR $repository IN $within
OPTIONAL MATCH (o:Snapshot)
WHERE ($within IS NULL OR o.repository IN $within) AND $repository IN o.linked
WITH s, o ORDER BY o.repository
RETURN s.version AS version, s.links AS links, collect([o.repository, o.links]) AS into,
  [name IN s.linked WHERE $within IS NULL OR name IN $within] AS seen
