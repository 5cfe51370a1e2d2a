import { execFileSync } from 'node:child_process'
import type { Manifest } from '@oclif/core/interfaces'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildRelease, LOADED_LATER, WITH_FILES } from '../build-release.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { readSourceStamp, type SourceStamp } from './build-time.ts'
import {
  CONFIGURATION_FILES,
  debianArchitecture,
  debianControl,
  debianVersion,
  MAINTAINER_SCRIPTS,
} from './debian-control.ts'
import { installedFiles } from './installed-files.ts'
import { closureOf, type Lockfile } from './lockfile.ts'
import { manPage } from './man-page.ts'
import { checksums, copyInto, kibibytesBelow, normalise, writeInto } from './stage.ts'

const SHARE = 'usr/share'

/**
 * Builds the Debian package of this checkout for this machine's processor. Two builds of equal sources give equal bytes.
 * @param target the folder that receives the package
 * @returns its path
 */
export async function buildDebianPackage(root: string, target: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'phlix-package-'))
  try {
    const [build, staged] = [join(work, 'build'), join(work, 'root')]
    await buildRelease({ root, target: build })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    const stamp = readSourceStamp(root)
    stageFiles(root, { build, staged })
    stageTexts(root, { build, staged, version, stamp })
    const architecture = debianArchitecture(process.arch)
    stageControl(root, { staged, version, architecture })
    normalise(staged, stamp.epochSeconds)
    const path = join(target, `phlix_${debianVersion(version)}_${architecture}.deb`)
    pack(staged, { path, epochSeconds: stamp.epochSeconds })
    return path
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** npm packages that the bundle loads by name, with what they need themselves. */
export function packagedModules(root: string): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const isInstalled = (path: string): boolean => existsSync(join(root, path))
  return closureOf(lock, { names: [...WITH_FILES, ...LOADED_LATER], isInstalled })
}

function stageFiles(root: string, { build, staged }: { build: string; staged: string }): void {
  const node = { program: process.execPath, license: join(dirname(process.execPath), '..', 'LICENSE') }
  const units = readdirSync(join(root, 'contrib', 'systemd')).filter((name) => /\.(?:service|timer)$/.test(name))
  for (const { source, target } of installedFiles({ build, node, units, modules: packagedModules(root) }))
    copyInto(isAbsolute(source) ? source : join(root, source), join(staged, target))
}

type Texts = { build: string; staged: string; version: string; stamp: SourceStamp }

function stageTexts(root: string, { build, staged, version, stamp }: Texts): void {
  const { commands } = JSON.parse(readFileSync(join(build, 'oclif.manifest.json'), 'utf8')) as Manifest
  const manual = manPage({ commands: Object.values(commands), version, epochSeconds: stamp.epochSeconds })
  writeInto(join(staged, SHARE, 'man', 'man1', 'phlix.1.gz'), compressed(manual))
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  writeInto(join(staged, SHARE, 'doc', 'phlix', 'changelog.gz'), compressed(changes))
  writeInto(join(staged, SHARE, 'doc', 'phlix', 'sbom.cdx.json'), billOfMaterials(root, stamp))
}

/** Without name and time in the header (RFC 1952). */
function compressed(text: string): Buffer {
  return gzipSync(text, { level: 9 })
}

/** The files that control the installation. */
function stageControl(
  root: string,
  { staged, version, architecture }: Record<string, string> & { staged: string },
): void {
  const control = {
    version: version ?? '',
    architecture: architecture ?? '',
    installedKibibytes: kibibytesBelow(staged),
  }
  const sums = checksums(staged, CONFIGURATION_FILES)
  const folder = join(staged, 'DEBIAN')
  writeInto(join(folder, 'control'), debianControl(control))
  writeInto(join(folder, 'conffiles'), `${CONFIGURATION_FILES.join('\n')}\n`)
  writeInto(join(folder, 'md5sums'), sums)
  for (const name of MAINTAINER_SCRIPTS)
    writeInto(join(folder, name), readFileSync(join(root, 'contrib', 'debian', name)), 0o755)
}

/** Makes the package of a folder whose times and modes are those of the sources. */
export function pack(staged: string, { path, epochSeconds }: { path: string; epochSeconds: number }): void {
  mkdirSync(dirname(path), { recursive: true })
  // One thread, because the number of threads changes the compressed bytes.
  const words = ['--root-owner-group', '--threads-max=1', '-Zxz', '-z1', '--build', staged, path]
  execFileSync('dpkg-deb', words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) },
  })
}
