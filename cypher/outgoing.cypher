UNWIND $ids AS id
MATCH (n:Node {id: id})
USING INDEX SEEK n:Node(id, version)
WHERE n.version IS NOT NULL AND n.type <> 'Contributor'
MATCH (v:Version {version: n.version})
USING INDEX SEEK v:Version(version)
MATCH (s:Snapshot {repository: v.repository})
USING INDEX SEEK s:Snapshot(repository)
WHERE s.version = n.version AND ($within IS NULL OR s.repository IN $within)
MATCH (n)-[e:$any($types) WHERE e.confidence >= $confidence]->(m:Node)
WHERE m.type IN $nodeTypes AND ($within IS NULL OR e.link IS NULL OR m.repository IN $within)
RETURN type(e) AS type, n.id AS from, m.id AS to, properties(e) AS edge, properties(m) AS node
