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
  const { offers, reasonOfNone } = await findOffers(services, matches, signal)
  return offers[0] ?? reasonOfNone()
}

/**
 * Finds the offered version that has an address. Another version of the same entry does not count: the caller would get what was not named.
 * @returns the reason if there is none, or if several catalogues or entries offer it
 * @throws AppError `plugin_catalogue_failed` if it was not found and a catalogue cannot be read
 */
export async function findAddressedOffer(
  services: CatalogueServices & { config: Config },
  address: string,
  signal?: AbortSignal,
): Promise<Offer | { reason: string }> {
  const matches = ({ versions }: CatalogueEntry): boolean => versions.some(({ url }) => url === address)
  const { offers, reasonOfNone } = await findOffers(services, matches, signal)
  const [offer, other] = offers.filter(({ version }) => version.url === address)
  if (other !== undefined)
    return { reason: 'several entries of trusted catalogues have this address; install it by name' }
  if (offer !== undefined) return offer
  const [listed] = offers
  if (listed === undefined) return reasonOfNone()
  const { entry, version } = listed
  return { reason: `the catalogue offers ${entry.name} ${version.version}, whose address is ${version.url}` }
}

type Found = {
  /** In the order in which the catalogues were added. */
  offers: readonly Offer[]
  /** Why there is no offer. @throws AppError `plugin_catalogue_failed` if a catalogue cannot be read */
  reasonOfNone: () => { reason: string }
}

async function findOffers(
  services: CatalogueServices & { config: Config },
  matches: (entry: CatalogueEntry) => boolean,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const choice = { channel: await readSetting(services, 'plugins.channel'), serverVersion: releaseVersion() }
  const trusted = (await selectSources(services.db)).filter(({ isTrusted }) => isTrusted)
  const [unreadable, lacks, offers]: [string[], string[], Offer[]] = [[], [], []]
  for (const source of await readCatalogues(services, trusted, signal)) {
    if ('problem' in source) {
      unreadable.push(source.problem)
      continue
    }
    const { entries, changed } = source.catalogue
    for (const entry of entries.filter((one) => matches(one))) {
      const version = chooseVersion(entry, choice)
      if (version === undefined) lacks.push(describeLack(entry, changed))
      else offers.push({ catalogue: source.url, entry, version })
    }
  }
  const reasonOfNone = (): { reason: string } => {
    if (unreadable.length > 0) throw pluginErrors.plugin_catalogue_failed({ message: unreadable.join('; ') })
    const added = 'no trusted catalogue lists it; `phlix plugin:add-source` on the server adds one'
    return { reason: lacks.length > 0 ? lacks.join('; ') : added }
  }
  return { offers, reasonOfNone }
}

/** Why a listed plugin has no version that can be installed. */
export function describeLack({ name }: Pick<CatalogueEntry, 'name'>, changed: readonly ChangedVersion[]): string {
  const own = changed.filter((one) => one.name === name)
  if (own.some(({ version }) => version === '')) return `the catalogue changed the key of the author of ${name}`
  const versions = own.map(({ version }) => version).join(', ')
  if (versions !== '') return `the catalogue changed its description of ${name} ${versions}`
  return `the catalogue offers no pinned version of ${name} for this release and channel`
}
