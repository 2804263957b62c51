// Of one repository; with a version, only those that begin or end there.
CALL () {
  MATCH (a)-[l:CALLS {link: $repository}]->(b)
  USING INDEX SEEK l:CALLS(link)
  RETURN a, l, b
  UNION ALL
  MATCH (a)-[l:INHERITS {link: $repository}]->(b)
  USING INDEX SEEK l:INHERITS(link)
  RETURN a, l, b
  UNION ALL
  MATCH (a)-[l:IMPORTS {link: $repository}]->(b)
  USING INDEX SEEK l:IMPORTS(link)
  RETURN a, l, b
  UNION ALL
  MATCH (a)-[l:DEPENDS_ON {link: $repository}]->(b)
  USING INDEX SEEK l:DEPENDS_ON(link)
  RETURN a, l, b
}
WITH a, l, b
WHERE NOT (a:Repository AND b:Repository) AND ($version IS NULL OR a.version = $version OR b.version = $version)
DELETE l
