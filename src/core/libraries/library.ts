import type { LibraryOptions } from './library-options.ts'

export const LIBRARY_TYPES = ['movie', 'series', 'music', 'photo', 'book', 'audiobook', 'video'] as const

export type LibraryType = (typeof LIBRARY_TYPES)[number]

/** A named set of folders that hold media of one type (document 1, Library; decisions 3.5). */
export type Library = {
  /** UUID. */
  id: string
  name: string
  type: LibraryType
  /** Absolute folders, in the order in which they were given; at least one. */
  paths: string[]
  /** As stored; `autoCollections` inside it is normalised. */
  options: LibraryOptions
  displayOrder: number
  itemCount: number
  /** The effective value: on unless the options say otherwise. */
  autoCollections: { enabled: boolean }
  createdAt: Date
  updatedAt: Date
}

/** Whether a word from outside is a library type. */
export function isLibraryType(value: unknown): value is LibraryType {
  return LIBRARY_TYPES.some((type) => type === value)
}
