import type { LibraryType } from '../../../core/libraries/index.ts'

/**
 * The values of `--type`. Repeated here because importing the core's list would load the database modules before the command line is
 * parsed. A test compares the two.
 */
export const LIBRARY_TYPES = [
  'movie',
  'series',
  'music',
  'photo',
  'book',
  'audiobook',
  'video',
] as const satisfies readonly LibraryType[]
