import type { FileHashes } from './archive/file-hashes.ts'
import type { Manifest } from './manifest/manifest.ts'
import type { SettingValues } from './manifest/plugin-settings.ts'

/** The files of one version of a plugin. */
export type PluginVersion = {
  manifest: Manifest
  /** Name of the folder below `plugins/NAME`. */
  folder: string
  fileHashes: FileHashes
  archiveSha256: string
  /** The URL or path that it was installed from. */
  source: string
  /** The author's minisign public key that verified the archive; null if unsigned. Updates must be signed with the same key. */
  authorKey: string | null
  /** The catalogue that it was installed from; null if it came from elsewhere. Absent in versions that older releases stored. */
  catalogue?: string | null
}

/** The format that the manifest schema and the table constraint require. */
export type PluginName = `phlix-plugin-${string}`

/** An installed plugin. */
export type Plugin = PluginVersion & {
  name: PluginName
  catalogue: string | null
  settings: SettingValues
  isEnabled: boolean
  /** Why the server disabled it; null otherwise. */
  disabledReason: string | null
  /** The version before the last update. */
  previous: PluginVersion | null
  installedAt: Date
  updatedAt: Date
}
