/** A package manager or build tool by the files that define its modules (globs as OSS Review Toolkit's package managers have them). */
export interface BuildSystem {
  id: string;
  /** By file name, or by path where it has a slash. */
  definition: RegExp;
}

export const buildSystems: readonly BuildSystem[] = [
  { id: 'npm', definition: /(^|\/)package\.json$/ },
  { id: 'maven', definition: /(^|\/)pom\.xml$/ },
  { id: 'gradle', definition: /(^|\/)(build|settings)\.gradle(\.kts)?$/ },
  { id: 'cargo', definition: /(^|\/)Cargo\.toml$/ },
  { id: 'go', definition: /(^|\/)go\.mod$/ },
  {
    id: 'python',
    definition: /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg|requirements[^/]*\.txt|Pipfile|poetry\.lock)$/,
  },
  { id: 'conda', definition: /(^|\/)environment\.ya?ml$/ },
  { id: 'composer', definition: /(^|\/)composer\.json$/ },
  { id: 'bundler', definition: /(^|\/)(Gemfile|[^/]+\.gemspec)$/ },
  { id: 'nuget', definition: /(^|\/)[^/]+\.(csproj|fsproj|vbproj|sln)$/ },
  { id: 'pub', definition: /(^|\/)pubspec\.yaml$/ },
  { id: 'mix', definition: /(^|\/)mix\.exs$/ },
  { id: 'swiftpm', definition: /(^|\/)Package\.swift$/ },
  { id: 'cocoapods', definition: /(^|\/)Podfile$/ },
  { id: 'carthage', definition: /(^|\/)Cartfile$/ },
  { id: 'sbt', definition: /(^|\/)build\.sbt$/ },
  { id: 'stack', definition: /(^|\/)stack\.yaml$/ },
  { id: 'cabal', definition: /(^|\/)[^/]+\.cabal$/ },
  { id: 'conan', definition: /(^|\/)conanfile\.(py|txt)$/ },
  { id: 'vcpkg', definition: /(^|\/)vcpkg\.json$/ },
  { id: 'cmake', definition: /(^|\/)CMakeLists\.txt$/ },
  { id: 'make', definition: /(^|\/)(GNUm|[Mm])akefile$/ },
  { id: 'meson', definition: /(^|\/)meson\.build$/ },
  { id: 'autotools', definition: /(^|\/)configure\.(ac|in)$/ },
  { id: 'bazel', definition: /(^|\/)(MODULE\.bazel|WORKSPACE(\.bazel)?)$/ },
  { id: 'deno', definition: /(^|\/)deno\.jsonc?$/ },
  { id: 'nix', definition: /(^|\/)(flake|default)\.nix$/ },
];
