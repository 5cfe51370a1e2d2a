/** Which versions of a catalogue are offered: `dev` includes pre-releases and versions that the catalogue marks as such. */
export const CHANNELS = ['stable', 'dev'] as const

export type Channel = (typeof CHANNELS)[number]

/** One archive in a catalogue. It has a SHA-256, or its entry has a key, or both. */
export type CatalogueVersion = {
  version: string
  /** Address of the archive, absolute. */
  url: string
  /** Of the archive, 64 hexadecimal digits in lower case. */
  sha256: string | null
  channel: Channel
  minimumServerVersion: string | null
}

/** One plugin in a catalogue. The texts come from strangers. */
export type CatalogueEntry = {
  name: string
  title: string
  type: string
  summary: string
  description: string
  author: string
  tags: readonly string[]
  /** Web address that identifies the plugin, for example of its repository. */
  repository: string | null
  /** Ed25519 public key of the author in the form of minisign; every archive must be signed with it. */
  key: string | null
  /** Newest first; only those that are pinned. */
  versions: readonly CatalogueVersion[]
}

export type Catalogue = { name: string; entries: readonly CatalogueEntry[] }

/** A source of catalogues, as it is stored. */
export type CatalogueSource = {
  /** Address of the index file, https or file. */
  url: string
  /** Whether plugins may be installed from it. */
  isTrusted: boolean
  addedAt: Date
}
