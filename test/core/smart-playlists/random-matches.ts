import { sql } from 'slonik'
import type { Test } from 'tap'
import { z } from 'zod'
import { findItemsByRules } from '../../../src/core/smart-playlists/index.ts'
import { parseStoredRules } from '../../../src/core/smart-playlists/parse-rules.ts'
import { ruleCondition } from '../../../src/core/smart-playlists/queries/conditions.ts'
import type { RuleNode } from '../../../src/core/smart-playlists/rule-tree.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { fits } from '../../support/rule-oracle.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { randomMetadata, randomTree, TIMES, WORDS, YEARS } from './random-rules.ts'

const ITEMS = 60
/** Number of trees per statement. */
const AT_A_TIME = 40
/** One of this number is also evaluated as the product does it: with an order, and with indexes. */
const ONE_ALONE_IN = 40

const ItemRow = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  name: z.string(),
  year: z.number().nullable(),
  addedAt: z.date(),
  metadata: z.record(z.string(), z.unknown()),
  localMetadata: z.record(z.string(), z.unknown()),
})

const VerdictRow = z.strictObject({ verdicts: z.string() })

/** Items and rules made from a seed: the database must choose the same items as a plain evaluation of the rules. */
export async function matchesRandomRules(t: Test, { seed, trees }: { seed: number; trees: number }): Promise<void> {
  const { pool: db } = await testDatabase(t)
  const random = seededRandom(seed)
  const writes = Array.from({ length: ITEMS }, () => ({
    name: random.pick(WORDS),
    year: random.below(5) === 0 ? null : random.pick(YEARS),
    metadata: randomMetadata(random),
  }))
  const ids = await makeItems(db, reachableDirectory(t), writes)
  for (const [index, id] of ids.entries()) {
    const local = JSON.stringify(random.below(2) === 0 ? {} : randomMetadata(random))
    const addedAt = new Date(Date.parse(random.pick(TIMES)) + random.below(2))
    await db.query(sql.unsafe`
      update media_items set local_metadata = ${local}::jsonb, added_at = ${sql.timestamp(addedAt)} where id = ${id}`)
    if (index === 0)
      await db.query(
        sql.unsafe`update media_items set added_at = added_at + interval '0.4 milliseconds' where id = ${id}`,
      )
  }
  const items = await db.any(sql.type(ItemRow)`
    select id, library_id, name, year, added_at, metadata, local_metadata from media_items order by sort_key, id`)
  const libraryId = items[0]?.libraryId ?? ''
  const counts = { matches: 0, mixed: 0, wrong: 0 }
  const compare = (rules: RuleNode, found: readonly string[], wanted: readonly string[]): void => {
    counts.matches += wanted.length
    if (wanted.length > 0 && wanted.length < ITEMS) counts.mixed += 1
    if (JSON.stringify(found) === JSON.stringify(wanted)) return
    counts.wrong += 1
    const wrong = items.filter(({ id }) => found.includes(id) !== wanted.includes(id))
    t.strictSame({ found: found.length, wrong: wrong.slice(0, 2) }, { found: wanted.length, wrong: [] }, textOf(rules))
  }
  const check = async (asked: readonly RuleNode[]): Promise<void> => {
    const verdicts = await db.any(sql.type(VerdictRow)`
      select concat(${sql.join(
        asked.map((rules) => sql.fragment`((${ruleCondition(rules)}) is true)::int`),
        sql.fragment`, `,
      )}) as verdicts
      from media_items i where i.library_id = ${libraryId} order by i.sort_key, i.id`)
    for (const [index, rules] of asked.entries()) {
      const wanted = items.filter((item) => fits(item, rules)).map(({ id }) => id)
      const found = items.filter((_, row) => verdicts[row]?.verdicts[index] === '1').map(({ id }) => id)
      compare(rules, found, wanted)
      if (index % ONE_ALONE_IN !== 0) continue
      const selection = { rules, limit: 0, sortBy: 'title', isDescending: false } as const
      compare(rules, await findItemsByRules({ db }, { libraryId, selection }), wanted)
    }
  }
  const made = Array.from({ length: trees }, () => parseStoredRules(randomTree(random, 1 + random.below(5))))
  for (let at = 0; at < made.length; at += AT_A_TIME) await check(made.slice(at, at + AT_A_TIME))
  t.equal(counts.wrong, 0, `${trees} trees of seed ${seed}`)
  t.ok(counts.matches > 0 && counts.mixed > trees / 3, `${counts.mixed} trees choose some and not others`)
}

const textOf = (rules: RuleNode): string => JSON.stringify(rules).slice(0, 2000)
