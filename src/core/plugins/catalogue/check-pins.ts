import type { Connection } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { pluginErrors } from '../errors.ts'
import type { Catalogue, CatalogueEntry } from './catalogue.ts'
import { insertPins, selectPins, type CataloguePin } from './queries.ts'

/** A version that a catalogue describes in another way than before; empty: the key of the author. */
export type ChangedVersion = { name: string; version: string }

export type CheckedCatalogue = Catalogue & { changed: readonly ChangedVersion[] }

/** A catalogue that renames its versions again and again must not fill the database. */
const MAX_PINS = 100_000

/**
 * Compares a trusted catalogue with what it said before, and stores what is new. Versions that changed are left out, and all versions of a
 * plugin whose key changed: a server that was taken over could otherwise replace an archive that others have already examined.
 * @throws AppError `plugin_catalogue_failed` if it has listed too many versions
 */
export async function checkPins(
  { db, clock }: { db: Connection; clock: Clock },
  { url, catalogue }: { url: string; catalogue: Catalogue },
): Promise<CheckedCatalogue> {
  const listed = catalogue.entries.flatMap((entry) => pinsOf(entry))
  const known = mapOf(await selectPins(db, url))
  const unknown = listed.filter((pin) => !known.has(keyOf(pin)))
  if (known.size + unknown.length > MAX_PINS) {
    throw pluginErrors.plugin_catalogue_failed({ message: 'it has listed too many versions' })
  }
  if (unknown.length > 0) await insertPins(db, { url, pins: unknown, now: clock.now() })
  // Another process may have stored other pins first.
  const stored = unknown.length > 0 ? mapOf(await selectPins(db, url)) : known
  const changed = listed.filter((pin) => (stored.get(keyOf(pin)) ?? pin.pin) !== pin.pin)
  const changedKeys = new Set(changed.map((pin) => keyOf(pin)))
  const entries = catalogue.entries.map((entry) => withoutChanged(entry, changedKeys))
  return { ...catalogue, entries, changed: changed.map(({ pluginName: name, version }) => ({ name, version })) }
}

function withoutChanged(entry: CatalogueEntry, changedKeys: ReadonlySet<string>): CatalogueEntry {
  const isChanged = (version: string): boolean => changedKeys.has(keyOf({ pluginName: entry.name, version }))
  return { ...entry, versions: isChanged('') ? [] : entry.versions.filter(({ version }) => !isChanged(version)) }
}

function pinsOf({ name, key, versions }: CatalogueEntry): CataloguePin[] {
  if (versions.length === 0) return []
  return [
    { pluginName: name, version: '', pin: key ?? '' },
    ...versions.map(({ version, sha256 }) => ({ pluginName: name, version, pin: sha256 ?? '' })),
  ]
}

function mapOf(pins: readonly CataloguePin[]): Map<string, string> {
  return new Map(pins.map((pin) => [keyOf(pin), pin.pin]))
}

function keyOf({ pluginName, version }: Pick<CataloguePin, 'pluginName' | 'version'>): string {
  return `${pluginName} ${version}`
}
