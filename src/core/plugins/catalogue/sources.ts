import type { Database } from '../../platform/database/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { pluginErrors } from '../errors.ts'
import type { Catalogue, CatalogueSource } from './catalogue.ts'
import { fetchCatalogue } from './fetch-catalogue.ts'
import { deleteSource, selectSources, upsertSource } from './queries.ts'

const MAX_SOURCES = 16
const MAX_URL = 2000

/** The sources of catalogues, in the order in which they were added. */
export async function listSources({ db }: { db: Database }): Promise<readonly CatalogueSource[]> {
  return selectSources(db)
}

/**
 * Adds the source of a catalogue. Only a command may trust it; a source that is known stays trusted if it was.
 * @param input.url address of an index file; `file` only for a trusted one
 * @throws AppError `plugin.catalog.url.invalid`, `plugin_catalogues_limit`
 */
export async function addSource(
  { db, clock }: { db: Database; clock: Clock },
  { url: text, isTrusted }: { url: string; isTrusted: boolean },
): Promise<readonly CatalogueSource[]> {
  const url = readSourceUrl(text, { mayBeFile: isTrusted })
  const known = await selectSources(db)
  if (known.length >= MAX_SOURCES && !known.some((source) => source.url === url)) {
    throw pluginErrors.plugin_catalogues_limit({ message: `At most ${MAX_SOURCES} catalogues can be added.` })
  }
  await upsertSource(db, { url, isTrusted, now: clock.now() })
  return selectSources(db)
}

/**
 * Trusts the source of a catalogue after its index file was read: a wrong address would be noticed only at the next installation.
 * @param url https or file address of an index file
 * @throws AppError `plugin_catalogue_failed` with the reason, and the errors of `addSource`
 */
export async function trustSource(
  services: { db: Database; clock: Clock; outbound: Outbound },
  url: string,
  signal?: AbortSignal,
): Promise<{ catalogue: Catalogue; sources: readonly CatalogueSource[] }> {
  const catalogue = await fetchCatalogue(services, readSourceUrl(url, { mayBeFile: true }), signal)
  return { catalogue, sources: await addSource(services, { url, isTrusted: true }) }
}

/**
 * Removes a source. Installed plugins stay; they get no updates from it.
 * @param input.mayBeTrusted only for a command: who adds the source again would accept all that its catalogue has changed
 * @throws AppError `plugin_catalogue_not_found`, `plugin_catalogue_trusted`
 */
export async function removeSource(
  { db }: { db: Database },
  { url: text, mayBeTrusted }: { url: string; mayBeTrusted: boolean },
): Promise<readonly CatalogueSource[]> {
  const url = URL.parse(text)?.href ?? text
  if (!url.isWellFormed() || url.includes('\0')) throw pluginErrors.plugin_catalogue_not_found()
  const isRemoved = await deleteSource(db, { url, mayBeTrusted })
  const sources = await selectSources(db)
  if (isRemoved) return sources
  if (!sources.some((source) => source.url === url)) throw pluginErrors.plugin_catalogue_not_found()
  throw pluginErrors.plugin_catalogue_trusted({
    message: 'A trusted catalogue is removed only by `phlix plugin:remove-source` on the server.',
  })
}

function readSourceUrl(text: string, { mayBeFile }: { mayBeFile: boolean }): string {
  const url = URL.parse(text)
  const isAllowed = url?.protocol === 'https:' || (mayBeFile && url?.protocol === 'file:' && url.host === '')
  if (url === null || !isAllowed || url.href.length > MAX_URL) {
    const schemes = mayBeFile ? 'an https or a file address' : 'an https address'
    throw pluginErrors.plugin_catalogue_url_invalid({
      message: `The address of a catalogue is ${schemes}.`,
      hint: 'the address of a file is file:// and its whole path, as file:///srv/plugins.json',
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw pluginErrors.plugin_catalogue_url_invalid({ message: 'The address must not hold a user name or password.' })
  }
  url.hash = ''
  return url.href
}
