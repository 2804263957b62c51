/** Files that commands of CI may lead into: manifests with scripts, makefiles, task files, scripts without or with an ending. */
export const isFollowed = (path: string): boolean =>
  /(^|\/)(package\.json|composer\.json|(GNU)?[mM]akefile|\.?[jJ]ustfile|JUSTFILE|tox\.(ini|toml)|setup\.cfg|pyproject\.toml|noxfile\.py|tasks\.py|[rR]akefile(\.rb)?|pom\.xml|build\.gradle(\.kts)?|CMakeLists\.txt)$|\.(mk|mak|rake|cmake|sh|bash|zsh|ps1|cmd|bat)$/.test(
    path,
  ) ||
  /^([^/.]+\/){0,4}[^/.]+$|(^|\/)(\.ci|\.github|\.gitlab|\.travis|\.circleci|ci|scripts?|bin|tools?|hack|build)\/([^/]+\/){0,2}[^/.]+$/.test(
    path,
  );
