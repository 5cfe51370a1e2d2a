/** Debian's names of the processors for which the embedded database exists. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
  ia32: 'i386',
  ppc64: 'ppc64el',
}

/** @throws Error for a processor that Debian or the embedded database does not support */
export function debianArchitecture(processor: string): string {
  const name = ARCHITECTURES[processor]
  if (name === undefined) throw new Error(`there is no Debian package for ${processor}`)
  return name
}

/** A version of npm as one of Debian: `1.0.0-beta.1` is older than `1.0.0` (Debian Policy 5.6.12). */
export function debianVersion(version: string): string {
  return version.replace('-', '~').replaceAll('-', '.')
}

type Control = { version: string; architecture: string; installedKibibytes: number }

/** The control file (Debian Policy 5.3). ffmpeg is no dependency, because an option can name another program. */
export function debianControl({ version, architecture, installedKibibytes }: Control): string {
  return `Package: phlix
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: The Phlix authors <phlix@localhost>
Installed-Size: ${installedKibibytes}
Depends: adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6
Recommends: ffmpeg, libheif-examples
Section: video
Priority: optional
Description: personal media server
 Phlix catalogues and streams the media files in your folders: films, series,
 music, audiobooks, photos and books. The package contains the server, its
 command line, Node.js and an embedded PostgreSQL.
`
}

/** Configuration files that belong to the administrator (Debian Policy 10.7). */
export const CONFIGURATION_FILES = ['/etc/phlix/config.toml']

/** Scripts of the package manager (Debian Policy 6). */
export const MAINTAINER_SCRIPTS = ['postinst', 'prerm', 'postrm'] as const
