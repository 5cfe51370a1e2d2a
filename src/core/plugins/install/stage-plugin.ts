import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { releaseVersion } from '../../platform/config/index.ts'
import { isJsonObject, parseJson } from '../../platform/json/index.ts'
import type { FileHashes } from '../archive/file-hashes.ts'
import { pluginErrors } from '../errors.ts'
import { readManifest } from '../manifest/manifest.ts'
import type { PluginVersion } from '../plugin.ts'
import { computeSha256 } from './verify-origin.ts'

const MANIFEST_FILE = 'plugin.json'
const MAX_MANIFEST_BYTES = 256 * 1024
const HASH_CHARACTERS = 12

/** Scripts that npm would run at an installation. Phlix never runs them; an archive that expects it would not work. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']

/** A plugin that is unpacked but not installed: the folder with its files, and the row that describes them. */
export type StagedPlugin = { folder: string; version: PluginVersion }

/**
 * Unpacks and checks an archive in a staging folder. The files may lie in one folder, as `npm pack` and code hosts make archives.
 * @throws AppError `plugin.install.failed`
 */
export async function stagePlugin(
  bytes: Uint8Array,
  input: { staging: string; source: string; authorKey: string | null },
): Promise<StagedPlugin> {
  const unpacked = join(input.staging, 'archive')
  mkdirSync(unpacked, { mode: 0o755 })
  // Loaded here, because only an installation needs a reader of archives, and each process with media services loads this module.
  const { unpackArchive } = await import('../archive/unpack-archive.ts')
  const hashes = await unpackArchive(bytes, { folder: unpacked })
  const top = topFolder(unpacked, hashes)
  const folder = top === undefined ? unpacked : join(unpacked, top)
  const fileHashes = top === undefined ? hashes : withoutTop(hashes, top)
  const manifest = readManifest(readText(join(folder, MANIFEST_FILE)), { serverVersion: releaseVersion() })
  if (!Object.hasOwn(fileHashes, manifest.entry))
    throw invalidArchiveError(`the archive has no file ${manifest.entry}, the entry`)
  if (Object.hasOwn(fileHashes, 'package.json')) refuseInstallScripts(readText(join(folder, 'package.json')))
  const archiveSha256 = computeSha256(bytes)
  return {
    folder,
    version: {
      manifest,
      folder: `${manifest.version}-${archiveSha256.slice(0, HASH_CHARACTERS)}`,
      fileHashes,
      archiveSha256,
      source: input.source,
      authorKey: input.authorKey,
    },
  }
}

/** The only folder of an archive without `plugin.json` at its top. */
function topFolder(unpacked: string, hashes: FileHashes): string | undefined {
  if (Object.hasOwn(hashes, MANIFEST_FILE)) return undefined
  const names = readdirSync(unpacked)
  const [top] = names
  if (names.length === 1 && top !== undefined && Object.hasOwn(hashes, `${top}/${MANIFEST_FILE}`)) return top
  throw invalidArchiveError(`the archive has no ${MANIFEST_FILE}`)
}

function withoutTop(hashes: FileHashes, top: string): FileHashes {
  return Object.fromEntries(Object.entries(hashes).map(([path, hash]) => [path.slice(top.length + 1), hash]))
}

function readText(path: string): string {
  if (statSync(path).size > MAX_MANIFEST_BYTES)
    throw invalidArchiveError(`${path} is larger than ${MAX_MANIFEST_BYTES} bytes`)
  return readFileSync(path, 'utf8')
}

function refuseInstallScripts(text: string): void {
  const value = parseJson(Buffer.from(text))
  const scripts = isJsonObject(value) && isJsonObject(value['scripts']) ? value['scripts'] : {}
  const found = INSTALL_SCRIPTS.find((name) => Object.hasOwn(scripts, name))
  if (found !== undefined) throw invalidArchiveError(`package.json has the script ${found}, which is never run`)
}

function invalidArchiveError(message: string): Error {
  return pluginErrors.plugin_install_failed({ message })
}
