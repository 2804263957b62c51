MATCH (s:Snapshot {repository: $repository})
WITH s, s.version AS version
DETACH DELETE s
WITH version
MATCH (r:Node {id: $repository, version: version})
USING INDEX SEEK r:Node(id, version)
OPTIONAL MATCH (r)-[l WHERE l.link IS NOT NULL]-(:Node)
DELETE l
RETURN DISTINCT version
