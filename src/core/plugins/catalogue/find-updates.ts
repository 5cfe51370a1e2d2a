import { releaseVersion, type Config, compareVersions } from '../../platform/config/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import type { Plugin } from '../plugin.ts'
import { selectPlugins } from '../queries.ts'
import type { CatalogueVersion, Channel } from './catalogue.ts'
import { chooseVersion } from './choose-version.ts'
import { describeLack, type Offer } from './offer.ts'
import { selectSources } from './queries.ts'
import { readCatalogues, type CatalogueServices, type ReadCatalogue } from './read-catalogues.ts'

/** What the catalogue of an installed plugin offers. */
export type PluginUpdate = {
  plugin: Plugin
  /** The newest version of the channel; null if it is not known. */
  latestVersion: string | null
  /** The newer version; undefined if there is none. */
  offer: Offer | undefined
  /** Whether a catalogue can have an update for it. */
  isCheckable: boolean
  /** Why nothing is known. */
  problem: string | null
}

/** Asks the catalogues of the installed plugins, by name of the plugin. */
export async function findUpdates(
  services: CatalogueServices & { config: Config },
  signal?: AbortSignal,
): Promise<readonly PluginUpdate[]> {
  const { db } = services
  const channel = await readSetting(services, 'plugins.channel')
  const plugins = await selectPlugins(db)
  const asked = new Set(plugins.map(({ catalogue }) => catalogue))
  const sources = (await selectSources(db)).filter(({ url, isTrusted }) => isTrusted && asked.has(url))
  const read = new Map((await readCatalogues(services, sources, signal)).map((source) => [source.url, source]))
  return plugins.map((plugin) => checkForUpdate(plugin, { read, channel }))
}

function checkForUpdate(
  plugin: Plugin,
  { read, channel }: { read: ReadonlyMap<string, ReadCatalogue>; channel: Channel },
): PluginUpdate {
  const unknown = { plugin, latestVersion: null, offer: undefined }
  if (plugin.catalogue === null) return { ...unknown, isCheckable: false, problem: null }
  const source = read.get(plugin.catalogue)
  if (source === undefined) {
    return { ...unknown, isCheckable: false, problem: `its catalogue ${plugin.catalogue} is not trusted` }
  }
  if ('problem' in source) return { ...unknown, isCheckable: true, problem: source.problem }
  const { entries, changed } = source.catalogue
  const entry = entries.find(({ name }) => name === plugin.name)
  if (entry === undefined) return { ...unknown, isCheckable: true, problem: 'its catalogue no longer lists it' }
  const version = chooseVersion(entry, { channel, serverVersion: releaseVersion() })
  if (version === undefined) return { ...unknown, isCheckable: true, problem: describeLack(entry, changed) }
  const latest = { plugin, latestVersion: version.version, isCheckable: true }
  const problem = describeConflict(plugin, { key: entry.key, version })
  if (problem !== null) return { ...latest, offer: undefined, problem }
  const isNewer = compareVersions(version.version, plugin.manifest.version) > 0
  const offer = isNewer ? { catalogue: plugin.catalogue, entry, version } : undefined
  return { ...latest, offer, problem: null }
}

/** What contradicts the installed version. Pins are removed with a source, but the installed version stays. */
export function describeConflict(
  { manifest, archiveSha256, authorKey }: Plugin,
  { key, version }: { key: string | null; version: CatalogueVersion },
): string | null {
  if (authorKey !== null && key !== null && key !== authorKey) return 'the catalogue names another key of the author'
  const isSame = version.version === manifest.version
  if (isSame && version.sha256 !== null && version.sha256 !== archiveSha256) {
    return `the catalogue lists another archive for the installed version ${version.version}`
  }
  return null
}

/** Whether an administrator returned from this version, or a newer one, to the installed one; then only an administrator installs it again. */
export function wasRolledBack({ plugin, offer }: Pick<PluginUpdate, 'plugin' | 'offer'>): boolean {
  const { manifest, previous } = plugin
  if (offer === undefined || previous === null) return false
  const isOlderNow = compareVersions(manifest.version, previous.manifest.version) < 0
  return isOlderNow && compareVersions(offer.version.version, previous.manifest.version) <= 0
}
