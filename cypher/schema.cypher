// Every part of the graph belongs to one version of one repository, and a :Snapshot says which version readers see.
CREATE CONSTRAINT snapshot_repository IF NOT EXISTS FOR (s:Snapshot) REQUIRE s.repository IS UNIQUE;
// Versions that are being written, are shown, or wait to be deleted.
CREATE CONSTRAINT version_version IF NOT EXISTS FOR (v:Version) REQUIRE v.version IS UNIQUE;
CREATE INDEX version_repository IF NOT EXISTS FOR (v:Version) ON (v.repository);
// One node by id, and the ends of an edge while it is written.
CREATE CONSTRAINT node_id IF NOT EXISTS FOR (n:Node) REQUIRE (n.id, n.version) IS UNIQUE;
// A version's nodes by type, in order, and all of them when it is deleted.
CREATE INDEX node_version IF NOT EXISTS FOR (n:Node) ON (n.version, n.type, n.id);
// What leads from one repository to symbols of others, by whose it is.
CREATE INDEX calls_link IF NOT EXISTS FOR ()-[l:CALLS]-() ON (l.link);
CREATE INDEX inherits_link IF NOT EXISTS FOR ()-[l:INHERITS]-() ON (l.link);
CREATE INDEX imports_link IF NOT EXISTS FOR ()-[l:IMPORTS]-() ON (l.link);
CREATE INDEX depends_on_link IF NOT EXISTS FOR ()-[l:DEPENDS_ON]-() ON (l.link);
// How often what is shown has changed.
CREATE CONSTRAINT counter_name IF NOT EXISTS FOR (c:Counter) REQUIRE c.name IS UNIQUE;
