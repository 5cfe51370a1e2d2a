import { compareVersions } from '../platform/config/index.ts'
import type { Config } from '../platform/config/index.ts'
import { releaseVersion } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { checkFiles } from './archive/check-files.ts'
import { versionFolder } from './plugin-folders.ts'
import { missingSettings } from './manifest/plugin-settings.ts'
import type { Plugin } from './plugin.ts'
import { selectPlugins } from './queries.ts'

/** Why a plugin that should run does not, or will not after the next start. */
export type PluginProblem = { name: string; source: string } & (
  | { kind: 'files_changed' }
  | { kind: 'settings_missing'; settings: readonly string[] }
  | { kind: 'needs_newer_server'; version: string }
  | { kind: 'disabled'; reason: string }
)

/** The problems of the plugins that are enabled or that the server has disabled, in the order in which they are to be solved. */
export async function examinePlugins({
  db,
  config,
}: {
  db: Connection
  config: Pick<Config, 'dataDirectory'>
}): Promise<PluginProblem[]> {
  const problems: PluginProblem[] = []
  for (const plugin of await selectPlugins(db)) {
    if (plugin.isEnabled || plugin.disabledReason !== null) problems.push(...(await examine(plugin, config)))
  }
  return problems
}

async function examine(plugin: Plugin, { dataDirectory }: Pick<Config, 'dataDirectory'>): Promise<PluginProblem[]> {
  const { name, source, manifest, disabledReason } = plugin
  const { minimumServerVersion: version } = manifest
  // Nothing else helps then.
  if (compareVersions(version, releaseVersion()) > 0) return [{ name, source, kind: 'needs_newer_server', version }]
  const isIntact = await checkFiles(versionFolder(dataDirectory, plugin), plugin.fileHashes).then(
    () => true,
    () => false,
  )
  const settings = missingSettings(manifest.settings, plugin.settings)
  return [
    ...(isIntact ? [] : [{ name, source, kind: 'files_changed' as const }]),
    ...(settings.length === 0 ? [] : [{ name, source, kind: 'settings_missing' as const, settings }]),
    ...(disabledReason === null ? [] : [{ name, source, kind: 'disabled' as const, reason: disabledReason }]),
  ]
}
