import type { Connection, Database } from '../platform/database/index.ts'
import { accessErrors } from './errors.ts'
import type { AccessRule } from './policy.ts'
import { deleteUnusedPolicies } from './queries/policies.ts'
import {
  countItemsWithTags,
  deleteUnusedTags,
  insertTags,
  markTagsWritten,
  rewriteItems,
  selectFoldedTags,
  selectSeenTags,
  selectUnwrittenTags,
  updateTagUseTimes,
  type IdRange,
} from './queries/tags.ts'

type Dependencies = { db: Database }
type Tags = Pick<AccessRule, 'blockedTags' | 'allowedTags'>

/** Maximum number of tags of a rule. */
const MAX_TAGS = 500
const MAX_TAG_LENGTH = 200
/** Items that one statement writes, and their children, such as episodes. Such a statement ends within its time limit, even on a busy machine. */
const ITEMS_PER_STATEMENT = 100
const POLICIES_PER_STATEMENT = 5000

/**
 * Makes sure that all items carry the tags of a rule. It runs before the transaction that assigns the rule, so that the rule holds from its
 * first moment. Each statement writes few items, so that none runs for long. After an interruption, the next call writes what is missing.
 * @throws AppError `invalid_access` for a text that is no tag
 */
export async function ensureItemsCarryTags({ db }: Dependencies, rule: Tags): Promise<void> {
  const tags = await foldedTagsOf(db, rule)
  if (tags.length === 0) return
  await updateTagUseTimes(db, tags)
  const unwritten = await selectUnwrittenTags(db, tags)
  if (unwritten.length === 0) return
  await db.transaction((connection) => insertTags(connection, unwritten))
  await rewriteAll(db, { tags: unwritten, items: await countItemsWithTags(db, unwritten) })
  await markTagsWritten(db, unwritten)
}

/**
 * Requires that an account sees the libraries and tags that it sets. Those that it cannot see are refused like those that do not exist. What
 * the limits had before may stay.
 * @throws AppError `invalid_access`
 */
export async function requireVisibleLibrariesAndTags(
  connection: Connection,
  { before, after, seenBy }: Record<'before' | 'after' | 'seenBy', AccessRule>,
): Promise<void> {
  const known = new Set([...(seenBy.libraryIds ?? []), ...(before.libraryIds ?? [])])
  const hidden = seenBy.libraryIds === null ? undefined : after.libraryIds?.find((id) => !known.has(id.toLowerCase()))
  if (hidden !== undefined) throw unknownLibrary(hidden)
  const kept = new Set([...before.blockedTags, ...before.allowedTags.flat()])
  const tags = (await foldedTagsOf(connection, after)).filter((tag) => !kept.has(tag))
  if (tags.length === 0) return
  const seen = await selectSeenTags(connection, { tags, rule: seenBy })
  const unknown = tags.find((tag) => !seen.has(tag))
  if (unknown === undefined) return
  throw accessErrors.invalid_access({
    message: `nothing that this account sees has the tag ${JSON.stringify(unknown)}`,
    hint: 'an administrator can set it before an item has it',
  })
}

/** The error of a library that does not exist, or is not seen. */
export function unknownLibrary(id: string) {
  return accessErrors.invalid_access({
    message: `no library has the id ${JSON.stringify(id)}`,
    hint: 'phlix library:list shows the ids',
  })
}

/** Deletes unused policies, and tags that no policy contains. */
export async function deleteUnusedAccess({ db }: Dependencies): Promise<{ policies: number; tags: number }> {
  let policies = 0
  for (let deleted = POLICIES_PER_STATEMENT; deleted === POLICIES_PER_STATEMENT; policies += deleted) {
    deleted = await deleteUnusedPolicies(db, { limit: POLICIES_PER_STATEMENT })
  }
  const tags = await db.transaction((connection) => deleteUnusedTags(connection))
  if (tags.length > 0) await rewriteAll(db, { tags, items: await countItemsWithTags(db, tags) })
  return { policies, tags: tags.length }
}

/**
 * Tags of a rule as they are compared: without regard to case, accents and spaces.
 * @throws AppError `invalid_access` for a text that is no tag, and for too many tags
 */
async function foldedTagsOf(connection: Connection, { blockedTags, allowedTags }: Tags): Promise<string[]> {
  return [...new Set(await foldTags(connection, [...blockedTags, ...allowedTags.flat()]))]
}

/**
 * The same for a list, in its order.
 * @throws AppError `invalid_access`
 */
export async function foldTags(connection: Connection, tags: readonly string[]): Promise<string[]> {
  const wrong = tags.find((tag) => tag.length > MAX_TAG_LENGTH || tag.includes('\0') || !tag.isWellFormed())
  if (wrong !== undefined) throw notTag(wrong.slice(0, MAX_TAG_LENGTH))
  if (tags.length > MAX_TAGS) throw accessErrors.invalid_access({ message: `limits have at most ${MAX_TAGS} tags` })
  const folded = await selectFoldedTags(connection, tags)
  return folded.map((tag, index) => {
    if (tag === null) throw notTag(tags[index] ?? '')
    return tag
  })
}

function notTag(text: string) {
  return accessErrors.invalid_access({
    message: `${JSON.stringify(text)} is no tag: it has 1 to ${MAX_TAG_LENGTH} characters`,
  })
}

/** Each transaction is repeated if it meets a scan that writes the same items in another order. */
async function rewriteAll(db: Database, { tags, items }: { tags: readonly string[]; items: number }): Promise<void> {
  for (const range of idRanges(Math.ceil(items / ITEMS_PER_STATEMENT))) {
    await db.transaction((connection) => rewriteItems(connection, { tags, ...range }))
  }
}

/** Ids are random, so that ranges of equal length have as many items. */
function idRanges(count: number): IdRange[] {
  const idAt = (index: number): string =>
    `${Math.floor((index * 2 ** 32) / count)
      .toString(16)
      .padStart(8, '0')}-0000-0000-0000-000000000000`
  return Array.from({ length: count }, (_, index) => ({
    from: idAt(index),
    below: index + 1 === count ? null : idAt(index + 1),
  }))
}
