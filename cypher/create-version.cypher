CREATE (:Version {version: $version, repository: $repository})
