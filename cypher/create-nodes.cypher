// Waits for whoever deletes this version, and then does nothing: element ids of deleted nodes are given to others.
MATCH (v:Version {version: $version})
SET v.written = true
WITH v WHERE v.deleted IS NULL
UNWIND $rows AS row
WITH row[0] AS type, row[1] AS id, row[2] AS name, row[3] AS repository, row[4] AS kind, row[5] AS qualified_name,
  row[6] AS language, row[7] AS path, row[8] AS line, row[9] AS end_line, row[10] AS signature, row[11] AS doc,
  row[12] AS exported, row[13] AS properties
CREATE (n:Node:$(type) {
  version: $version, type: type, id: id, name: name, repository: repository, kind: kind, qualified_name: qualified_name,
  language: language, path: path, line: line, end_line: end_line, signature: signature, doc: doc, exported: exported,
  properties: properties
})
RETURN collect(elementId(n)) AS elements
