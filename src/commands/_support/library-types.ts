import type { LibraryType } from '../../core/libraries/index.ts'

/**
 * The choices of `--type`. Written here once more because the core's list would bring the database modules with it, before the
 * command line is even read; a test compares the two.
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
