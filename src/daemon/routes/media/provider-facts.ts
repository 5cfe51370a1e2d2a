/** What providers, tags and NFO files say about an item; anybody may have written it, in any form. */
type Metadata = Readonly<Record<string, unknown>>

/** A text under a key; null for anything else. */
export function textOf(metadata: Metadata, key: string): string | null {
  const value = valueOf(metadata, key)
  return typeof value === 'string' ? value : null
}

/** The texts of a list under a key. */
export function textsOf(metadata: Metadata, key: string): string[] {
  return listOf(metadata, key).filter((entry) => typeof entry === 'string')
}

/** Cast or crew; what they do stands under `role` or `job`. */
export function peopleOf<Does extends 'role' | 'job'>(
  metadata: Metadata,
  key: string,
  does: Does,
): ({ name: string; profile_url: string | null } & Record<Does, string | null>)[] {
  return objectsOf(metadata, key).flatMap((person) => {
    const name = textOf(person, 'name')
    if (name === null) return []
    const what = { [does]: textOf(person, does) } as Record<Does, string | null>
    return [{ name, ...what, profile_url: webAddressOf(person['profile_url']) }]
  })
}

/** Companies. */
export function namesOf(metadata: Metadata, key: string) {
  return objectsOf(metadata, key).flatMap((company) => {
    const name = textOf(company, 'name')
    if (name === null) return []
    return [{ name, logo_url: webAddressOf(company['logo_url']), origin_country: textOf(company, 'origin_country') }]
  })
}

/** Provider to id; numbers become texts. */
export function externalIdsOf(metadata: Metadata): Record<string, string> {
  const ids = valueOf(metadata, 'external_ids')
  if (typeof ids !== 'object' || ids === null || Array.isArray(ids)) return {}
  return Object.fromEntries(
    Object.entries(ids).flatMap(([provider, id]) =>
      typeof id === 'string' || typeof id === 'number' ? [[provider, String(id)]] : [],
    ),
  )
}

/** An address that a page may show; others could run a script in it. */
export function webAddressOf(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//i.test(value) ? value : null
}

function objectsOf(metadata: Metadata, key: string): Metadata[] {
  return listOf(metadata, key).filter(
    (entry): entry is Metadata => typeof entry === 'object' && entry !== null && !Array.isArray(entry),
  )
}

function listOf(metadata: Metadata, key: string): unknown[] {
  const value = valueOf(metadata, key)
  return Array.isArray(value) ? value : []
}

/** Names that every object has are data like any others. */
function valueOf(metadata: Metadata, key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined
}
