MATCH (o:Node {id: $repository, version: $old})
USING INDEX SEEK o:Node(id, version)
MATCH (n:Node {id: $repository, version: $version})
USING INDEX SEEK n:Node(id, version)
MATCH (o)<-[l WHERE l.link IS NOT NULL]-(other:Repository)
CREATE (n)<-[moved:$(type(l))]-(other)
SET moved = properties(l)
DELETE l
