/** A file or folder of the checkout, and its place in the package. Sources are relative to the checkout, or absolute. */
export type InstalledFile = { source: string; target: string }

const LIBRARY = 'usr/lib/phlix'
const DOCUMENTS = 'usr/share/doc/phlix'
const UNITS = 'usr/lib/systemd/system'

type Sources = {
  /** The folder with `dist`. */
  build: string
  /** The program of Node, and its license. */
  node: { program: string; license: string }
  /** Names of the units in contrib/systemd. */
  units: readonly string[]
  /** Folders of npm packages, relative to the checkout. */
  modules: readonly string[]
}

/** Everything that is copied into the package. Texts that are made for it (manual, changelog, list of packages) are added separately. */
export function installedFiles({ build, node, units, modules }: Sources): InstalledFile[] {
  const sameName = (source: string) => ({ source, target: `${LIBRARY}/${source}` })
  return [
    { source: node.program, target: `${LIBRARY}/bin/node` },
    { source: node.license, target: `${DOCUMENTS}/LICENSE.node` },
    { source: `${build}/dist`, target: `${LIBRARY}/dist` },
    { source: `${build}/oclif.manifest.json`, target: `${LIBRARY}/oclif.manifest.json` },
    ...['bin/run.js', 'package.json', 'migrations', 'contrib', ...modules].map(sameName),
    { source: 'contrib/debian/phlix', target: 'usr/bin/phlix' },
    { source: 'contrib/debian/config.toml', target: 'etc/phlix/config.toml' },
    { source: 'contrib/debian/copyright', target: `${DOCUMENTS}/copyright` },
    { source: 'README.md', target: `${DOCUMENTS}/README.md` },
    { source: 'docs', target: `${DOCUMENTS}/docs` },
    { source: 'LICENSE', target: `${DOCUMENTS}/LICENSE` },
    ...units.map((name) => ({ source: `contrib/systemd/${name}`, target: `${UNITS}/${name}` })),
    { source: 'contrib/systemd/phlix.sysusers', target: 'usr/lib/sysusers.d/phlix.conf' },
    { source: 'contrib/systemd/phlix.tmpfiles', target: 'usr/lib/tmpfiles.d/phlix.conf' },
    { source: 'contrib/completions/phlix.bash', target: 'usr/share/bash-completion/completions/phlix' },
    { source: 'contrib/completions/_phlix', target: 'usr/share/zsh/vendor-completions/_phlix' },
    { source: 'contrib/completions/phlix.fish', target: 'usr/share/fish/vendor_completions.d/phlix.fish' },
  ]
}
