MATCH (s:Snapshot)
MATCH (r:Node {id: s.repository, version: s.version})
USING INDEX SEEK r:Node(id, version)
MATCH (r)-[l WHERE l.link]->(:Node)
DELETE l
