import { releaseVersion, type Config } from '../../platform/config/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import type { Plugin } from '../plugin.ts'
import { selectPlugins } from '../queries.ts'
import type { CatalogueEntry, CatalogueVersion, Channel } from './catalogue.ts'
import type { ChangedVersion } from './check-pins.ts'
import { chooseVersion } from './choose-version.ts'
import { selectSources } from './queries.ts'
import { readCatalogues, type CatalogueServices } from './read-catalogues.ts'

export type ListedPlugin = {
  entry: CatalogueEntry
  /** The version that an installation would use; undefined if none fits. */
  offered: CatalogueVersion | undefined
  /** The installed plugin of this name, wherever it came from. */
  installed: Plugin | undefined
}

export type ListedCatalogue = {
  url: string
  isTrusted: boolean
  content: { name: string; plugins: readonly ListedPlugin[]; changed: readonly ChangedVersion[] } | { problem: string }
}

/** All catalogues with their plugins, as of now. */
export async function listCatalogues(
  services: CatalogueServices & { config: Config },
  signal?: AbortSignal,
): Promise<{ channel: Channel; catalogues: readonly ListedCatalogue[] }> {
  const { db } = services
  const channel = await readSetting(services, 'plugins.channel')
  const read = await readCatalogues(services, await selectSources(db), signal)
  const installed = new Map<string, Plugin>((await selectPlugins(db)).map((plugin) => [plugin.name, plugin]))
  const choice = { channel, serverVersion: releaseVersion() }
  const catalogues = read.map((source): ListedCatalogue => {
    const { url, isTrusted } = source
    if ('problem' in source) return { url, isTrusted, content: { problem: source.problem } }
    const { name, entries, changed } = source.catalogue
    const plugins = entries.map((entry) => ({
      entry,
      offered: chooseVersion(entry, choice),
      installed: installed.get(entry.name),
    }))
    return { url, isTrusted, content: { name, plugins, changed } }
  })
  return { channel, catalogues }
}
