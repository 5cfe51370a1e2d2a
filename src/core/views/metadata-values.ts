import { isJsonObject } from '../platform/json/index.ts'

/** Facts from providers, tags and NFO files. The input is untrusted and may have any form. */
type Metadata = Readonly<Record<string, unknown>>

/** The text under a key; null for any other type. */
export function metadataText(metadata: Metadata, key: string): string | null {
  const value = valueOf(metadata, key)
  return typeof value === 'string' ? value : null
}

/** The texts in a list under a key. */
export function metadataTexts(metadata: Metadata, key: string): string[] {
  return listOf(metadata, key).filter((entry) => typeof entry === 'string')
}

/** Cast or crew. The function of a person is under `role` or `job`. */
export function metadataPeople<Does extends 'role' | 'job'>(
  metadata: Metadata,
  key: string,
  does: Does,
): ({ name: string; profile_url: string | null } & Record<Does, string | null>)[] {
  return objectsOf(metadata, key).flatMap((person) => {
    const name = metadataText(person, 'name')
    if (name === null) return []
    const what = { [does]: metadataText(person, does) } as Record<Does, string | null>
    return [{ name, ...what, profile_url: metadataWebAddress(person['profile_url']) }]
  })
}

/** Names of companies. */
export function metadataCompanyNames(metadata: Metadata, key: string) {
  return objectsOf(metadata, key).flatMap((company) => {
    const name = metadataText(company, 'name')
    if (name === null) return []
    return [
      {
        name,
        logo_url: metadataWebAddress(company['logo_url']),
        origin_country: metadataText(company, 'origin_country'),
      },
    ]
  })
}

/** Ids by provider; numbers are converted to text. */
export function metadataExternalIds(metadata: Metadata): Record<string, string> {
  const ids = valueOf(metadata, 'external_ids')
  if (!isJsonObject(ids)) return {}
  return Object.fromEntries(
    Object.entries(ids).flatMap(([provider, id]) =>
      typeof id === 'string' || typeof id === 'number' ? [[provider, String(id)]] : [],
    ),
  )
}

/** Returns http(s) URLs only; other schemes could run a script in the page. */
export function metadataWebAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//i.test(value) ? value : null
}

function objectsOf(metadata: Metadata, key: string): Metadata[] {
  return listOf(metadata, key).filter(isJsonObject)
}

function listOf(metadata: Metadata, key: string): unknown[] {
  const value = valueOf(metadata, key)
  return Array.isArray(value) ? value : []
}

/** Own properties only: `constructor` and the like are ordinary keys. */
function valueOf(metadata: Metadata, key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined
}
