import { releaseVersion, type Config } from '../../platform/config/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import { pluginErrors } from '../errors.ts'
import type { CatalogueEntry, CatalogueVersion } from './catalogue.ts'
import type { ChangedVersion } from './check-pins.ts'
import { chooseVersion } from './choose-version.ts'
import { selectSources } from './queries.ts'
import { readCatalogues, type CatalogueServices } from './read-catalogues.ts'

/** A version of a plugin that a trusted catalogue offers for this release and channel. */
export type Offer = { catalogue: string; entry: CatalogueEntry; version: CatalogueVersion }

/**
 * Finds what the trusted catalogues offer; the one that was added first comes first.
 * @param matches whether an entry is the wanted one
 * @returns the reason if there is no offer
 * @throws AppError `plugin_catalogue_failed` if it was not found and a catalogue cannot be read
 */
export async function findOffer(
  services: CatalogueServices & { config: Config },
  matches: (entry: CatalogueEntry) => boolean,
  signal?: AbortSignal,
): Promise<Offer | { reason: string }> {
  const choice = { channel: await readSetting(services, 'plugins.channel'), serverVersion: releaseVersion() }
  const trusted = (await selectSources(services.db)).filter(({ isTrusted }) => isTrusted)
  const unreadable: string[] = []
  const lacks: string[] = []
  for (const source of await readCatalogues(services, trusted, signal)) {
    if ('problem' in source) {
      unreadable.push(source.problem)
      continue
    }
    const { entries, changed } = source.catalogue
    const entry = entries.find((one) => matches(one))
    const version = entry === undefined ? undefined : chooseVersion(entry, choice)
    if (entry !== undefined && version !== undefined) return { catalogue: source.url, entry, version }
    if (entry !== undefined) lacks.push(describeLack(entry, changed))
  }
  if (unreadable.length > 0) throw pluginErrors.plugin_catalogue_failed({ message: unreadable.join('; ') })
  const added = 'no trusted catalogue lists it; `phlix plugin:add-source` on the server adds one'
  return { reason: lacks.length > 0 ? lacks.join('; ') : added }
}

/** Why a listed plugin has no version that can be installed. */
export function describeLack({ name }: Pick<CatalogueEntry, 'name'>, changed: readonly ChangedVersion[]): string {
  const own = changed.filter((one) => one.name === name)
  if (own.some(({ version }) => version === '')) return `the catalogue changed the key of the author of ${name}`
  const versions = own.map(({ version }) => version).join(', ')
  if (versions !== '') return `the catalogue changed its description of ${name} ${versions}`
  return `the catalogue offers no pinned version of ${name} for this release and channel`
}
