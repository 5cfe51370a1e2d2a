import type { LibraryOptions } from './library-options.ts'

export const LIBRARY_TYPES = ['movie', 'series', 'music', 'photo', 'book', 'audiobook', 'video'] as const

export type LibraryType = (typeof LIBRARY_TYPES)[number]

/** A named set of folders with media of one type. */
export type Library = {
  /** UUID. */
  id: string
  name: string
  type: LibraryType
  /** Absolute folders, in the given order; at least one. */
  paths: string[]
  /** As stored, with `autoCollections` normalised. */
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
