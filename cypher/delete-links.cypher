// Of one repository. Those of symbols are found by whose they are, the others start at its own node.
MATCH (s:Snapshot {repository: $repository})
MATCH (r:Node {id: $repository, version: s.version})
USING INDEX SEEK r:Node(id, version)
MATCH (r)-[l:CALLS|INHERITS|IMPORTS|DEPENDS_ON WHERE l.link IS NOT NULL]->(:Node)
DELETE l
