export const LIBRARY_TYPES = ['movie', 'series', 'music', 'photo', 'book', 'audiobook', 'video'] as const

export type LibraryType = (typeof LIBRARY_TYPES)[number]

/** The options of a library; keys that this release does not know are kept. */
export type LibraryOptions = Record<string, unknown>

/** Identifies a mounted folder: 64-bit numbers as text. */
export type RootIdentity = { device: string; inode: string }

/** A folder of a library with its identity at the last successful scan; null before that. */
export type LibraryRoot = { path: string; identity: RootIdentity | null }

/** A named set of folders with media of one type. */
export type Library = {
  /** UUID. */
  id: string
  name: string
  type: LibraryType
  /** Absolute folders, in the given order; at least one. */
  paths: string[]
  /** The stored options, with `autoCollections` normalised. */
  options: LibraryOptions
  displayOrder: number
  itemCount: number
  /** The effective value: enabled unless the options disable it. */
  autoCollections: { enabled: boolean }
  createdAt: Date
  updatedAt: Date
}

/** Whether an external value is a library type. */
export function isLibraryType(value: unknown): value is LibraryType {
  return LIBRARY_TYPES.some((type) => type === value)
}
