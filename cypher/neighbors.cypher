// CONTAINS leads from a repository to its code, never to a neighbour: left out, so that it need not be walked.
MATCH (s:Snapshot {repository: $repository})
WHERE $within IS NULL OR s.repository IN $within
MATCH (r:Node {id: $repository, version: s.version})
USING INDEX SEEK r:Node(id, version)
OPTIONAL MATCH (r)-[e:CALLS|INHERITS|IMPORTS|DEPENDS_ON|CONTRIBUTED_TO]-(n:Node)
WHERE n:Contributor OR (n:Repository AND ($within IS NULL OR n.id IN $within))
WITH s.version AS version, r, e, n, startNode(e) = r AS out
ORDER BY type(e), n.id, CASE WHEN out THEN 1 ELSE 0 END
WITH version, collect(CASE WHEN e IS NULL THEN NULL ELSE {
  direction: CASE WHEN out THEN 'out' ELSE 'in' END,
  node: properties(n), type: type(e), from: startNode(e).id, to: endNode(e).id, edge: properties(e)
} END) AS neighbors
OPTIONAL MATCH (now:Snapshot {repository: $repository})
RETURN neighbors, coalesce(now.version = version, false) AS valid
