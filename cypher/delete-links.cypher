MATCH (s:Snapshot)
MATCH (r:Node {id: s.repository, version: s.version})
MATCH (r)-[l WHERE l.link]->(:Node)
DELETE l
