MATCH (v:Version {version: $version})
DELETE v
