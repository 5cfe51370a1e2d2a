import * as Flags from '@oclif/core/flags'
import type { AccessChanges } from '../../../core/accounts/index.ts'
import type { Config } from '../../../core/platform/config/index.ts'
import type { Database } from '../../../core/platform/database/index.ts'
import { checkExclusive } from './exclusive-flags.ts'
import { findLibrary } from './find-library.ts'

/** Flags that limit what an account may see. */
export const limitFlags = {
  library: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'LIBRARY',
    summary: 'Only this library (id or name); repeat it for several. Without it: all, also those of later.',
  }),
  'max-rating': Flags.string({
    helpValue: 'AGE|WORD',
    summary: 'Only items rated up to this age (12) or content rating (PG-13, "FSK 16").',
  }),
  'allow-unrated': Flags.boolean({
    allowNo: true,
    summary: 'With --max-rating: whether films and series without a known rating are shown too.',
  }),
  'block-tag': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'TAG',
    summary: 'Hide what has this tag, and what is below it; repeat it for several.',
  }),
  'allow-tag': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'TAG',
    summary: 'Only films, series and other items at the top that have this tag, or one of several.',
  }),
}

/** Flags that remove limits of what an account or a profile sees. */
export const limitRemovalFlags = {
  'all-libraries': Flags.boolean({ summary: 'Remove the limit to some libraries.' }),
  'no-max-rating': Flags.boolean({ summary: 'Remove the limit by content rating.' }),
  'no-block-tags': Flags.boolean({ summary: 'Remove the limit by blocked tags.' }),
  'no-allow-tags': Flags.boolean({ summary: 'Remove the limit to some tags.' }),
}

type Given = {
  library?: string[] | undefined
  'max-rating'?: string | undefined
  'allow-unrated'?: boolean | undefined
  'block-tag'?: string[] | undefined
  'allow-tag'?: string[] | undefined
}

type GivenRemovals = Given & Record<keyof typeof limitRemovalFlags, boolean>

/**
 * The limits that flags remove.
 * @throws AppError `usage` for a limit that is set and removed
 */
export function readRemovals(flags: GivenRemovals): AccessChanges {
  checkExclusive(flags['all-libraries'] && flags.library !== undefined, '--all-libraries', '--library')
  checkExclusive(flags['no-max-rating'] && flags['max-rating'] !== undefined, '--no-max-rating', '--max-rating')
  checkExclusive(flags['no-block-tags'] && flags['block-tag'] !== undefined, '--no-block-tags', '--block-tag')
  checkExclusive(flags['no-allow-tags'] && flags['allow-tag'] !== undefined, '--no-allow-tags', '--allow-tag')
  return {
    ...(flags['all-libraries'] && { libraryIds: null }),
    ...(flags['no-max-rating'] && { maxAge: null }),
    ...(flags['no-block-tags'] && { blockedTags: [] }),
    ...(flags['no-allow-tags'] && { allowedTags: [] }),
  }
}

/**
 * The limits that flags set.
 * @throws AppError `invalid_access` for an unknown content rating, `library_not_found`
 */
export async function readLimits(
  { db, config }: { db: Database; config: Config },
  {
    library,
    'max-rating': text,
    'allow-unrated': allowsUnrated,
    'block-tag': blockedTags,
    'allow-tag': allowedTags,
  }: Given,
): Promise<AccessChanges> {
  const { readAgeLimit } = await import('../../../core/access/index.ts')
  const country = config.options['metadata.country']
  return {
    ...(library !== undefined && { libraryIds: await findLibraryIds({ db }, library) }),
    ...(text !== undefined && { maxAge: await readAgeLimit(db, { text, country }) }),
    ...(allowsUnrated !== undefined && { allowsUnrated }),
    ...(blockedTags !== undefined && { blockedTags }),
    ...(allowedTags !== undefined && { allowedTags: [allowedTags] }),
  }
}

async function findLibraryIds(services: { db: Database }, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => findLibrary(services, name)))
  return found.map(({ id }) => id)
}
