MATCH (o:Node {id: $repository, version: $old})
MATCH (n:Node {id: $repository, version: $version})
MATCH (o)<-[l WHERE l.link]-(other:Node)
CREATE (n)<-[moved:$(type(l))]-(other)
SET moved = properties(l)
DELETE l
