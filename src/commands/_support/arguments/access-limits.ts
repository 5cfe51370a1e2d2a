import * as Flags from '@oclif/core/flags'
import type { AccessRule } from '../../../core/access/index.ts'
import type { AccessChanges } from '../../../core/accounts/index.ts'
import type { Config } from '../../../core/platform/config/index.ts'
import type { Database } from '../../../core/platform/database/index.ts'
import type { StreamLimits } from '../../../core/playback-limits/index.ts'
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
    helpValue: 'TAG',
    summary: 'Hide what has this tag, and what is below it; repeat it for several.',
  }),
  'allow-tag': Flags.string({
    multiple: true,
    helpValue: 'TAG',
    summary: 'Only films, series and other items at the top that have this tag, or one of several.',
  }),
}

/** Flags that remove limits by tags. */
export const tagRemovalFlags = {
  'no-block-tags': Flags.boolean({ summary: 'Remove the limit by blocked tags.' }),
  'no-allow-tags': Flags.boolean({ summary: 'Remove the limit to some tags.' }),
}

/** Flags that limit how much is played at a time. */
export const streamFlags = {
  'max-streams': Flags.integer({ helpValue: 'NUMBER', summary: 'Play at most this many items at a time.' }),
  'no-max-streams': Flags.boolean({ summary: 'Remove the limit of streams.' }),
  'max-bandwidth': Flags.integer({
    helpValue: 'KBPS',
    summary: 'Highest bandwidth of all streams together, in kbit/s.',
  }),
  'no-max-bandwidth': Flags.boolean({ summary: 'Remove the limit of bandwidth.' }),
}

type GivenStreams = {
  'max-streams'?: number | undefined
  'no-max-streams': boolean
  'max-bandwidth'?: number | undefined
  'no-max-bandwidth': boolean
}

/**
 * The limits of streams that flags set or remove.
 * @throws UsageError for a limit that is set and removed
 */
export function readStreamChanges(flags: GivenStreams): Partial<StreamLimits> {
  const [maxStreams, maxKbps] = [flags['max-streams'], flags['max-bandwidth']]
  checkExclusive(flags['no-max-streams'] && maxStreams !== undefined, '--no-max-streams', '--max-streams')
  checkExclusive(flags['no-max-bandwidth'] && maxKbps !== undefined, '--no-max-bandwidth', '--max-bandwidth')
  return {
    ...(maxStreams !== undefined && { maxStreams }),
    ...(maxKbps !== undefined && { maxKbps }),
    ...(flags['no-max-streams'] && { maxStreams: null }),
    ...(flags['no-max-bandwidth'] && { maxKbps: null }),
  }
}

type GivenTags = {
  'block-tag'?: string[] | undefined
  'allow-tag'?: string[] | undefined
  'no-block-tags': boolean
  'no-allow-tags': boolean
}

/**
 * The limits by tags that flags remove.
 * @throws UsageError for a limit that is set and removed
 */
export function readTagRemovals(flags: GivenTags): AccessChanges {
  checkExclusive(flags['no-block-tags'] && flags['block-tag'] !== undefined, '--no-block-tags', '--block-tag')
  checkExclusive(flags['no-allow-tags'] && flags['allow-tag'] !== undefined, '--no-allow-tags', '--allow-tag')
  return {
    ...(flags['no-block-tags'] && { blockedTags: [] }),
    ...(flags['no-allow-tags'] && { allowedTags: [] }),
  }
}

type Given = {
  library?: string[] | undefined
  'max-rating'?: string | undefined
  'allow-unrated'?: boolean | undefined
  'block-tag'?: string[] | undefined
  'allow-tag'?: string[] | undefined
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

/** `everything`, or for example `2 libraries, up to 12, unrated hidden`. */
export function describeAccess({ libraryIds, maxAge, allowsUnrated, blockedTags, allowedTags }: AccessRule): string {
  const parts = [
    libraryIds === null ? undefined : `${libraryIds.length} ${libraryIds.length === 1 ? 'library' : 'libraries'}`,
    maxAge === null ? undefined : `up to ${maxAge}, unrated ${allowsUnrated ? 'shown' : 'hidden'}`,
    blockedTags.length === 0 ? undefined : `without ${blockedTags.join(', ')}`,
    allowedTags.length === 0 ? undefined : `only ${allowedTags.flat().join(' or ')}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'everything' : parts.join(', ')
}

/** `, no downloads`, or empty. */
export function describeDownloads({ mayDownload }: { mayDownload: boolean }): string {
  return mayDownload ? '' : ', no downloads'
}

/** For example `, 2 streams, 8000 kbit/s`; empty without limits. */
export function describeStreams({ maxStreams, maxKbps }: StreamLimits): string {
  const parts = [
    maxStreams === null ? undefined : `${maxStreams} ${maxStreams === 1 ? 'stream' : 'streams'}`,
    maxKbps === null ? undefined : `${maxKbps} kbit/s`,
  ].filter((part) => part !== undefined)
  return parts.map((part) => `, ${part}`).join('')
}
