import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { sql } from 'slonik'
import t from 'tap'
import {
  EVERYTHING,
  intersectRules,
  ensureItemsCarryTags,
  openLimitedPool,
  checkAndStoreRule,
  requireVisibleLibrariesAndTags,
  deleteUnusedAccess,
  type AccessRule,
} from '../../../src/core/access/index.ts'
import { computeRuleFingerprint } from '../../../src/core/access/policy.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts'
import { testDatabase } from '../../support/database.ts'
import { testServices } from '../../support/services.ts'
import { waitUntil } from '../../support/wait-until.ts'

type Item = {
  id: string
  libraryId: string
  parentId: string | null
  primaryId: string | null
  role: string | null
  type: string
  age: number | null
  tags: readonly string[]
}

const AGES = [0, 6, 12, 16, 18]
const RATED_TYPES = new Set(['movie', 'series', 'season', 'episode', 'video'])
/** The same tags in different spellings, and texts that are no tag. */
const SPELLINGS = [
  'gore',
  ' GORE ',
  'Gore',
  'kids ',
  'KIDS',
  'Très  Noir',
  'tres noir',
  'tres\tnoir',
  'Say "Hi", or\\not',
  'say "hi",  or\\not',
  '  ',
  'rare, ',
  'Rare,',
]

/** The policy of a rule whose tags are named first. */
async function namedPolicy(db: Database, rule: AccessRule) {
  await ensureItemsCarryTags({ db }, rule)
  return checkAndStoreRule(db, rule)
}

const foldTag = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** The rule in plain words: what it says about each item of a catalogue. */
function visibleIds(items: readonly Item[], rule: AccessRule): string[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const above = ({ parentId, primaryId }: Item): Item[] =>
    [primaryId, parentId].flatMap((id) => (id === null ? [] : (byId.get(id) ?? [])))
  const ageOf = (item: Item): number => Math.max(item.age ?? -1, ...above(item).map(ageOf))
  const tagsOf = (item: Item): string[] => [...item.tags.map(foldTag), ...above(item).flatMap(tagsOf)]
  const topOf = (item: Item): Item => {
    const next = above(item).at(-1)
    return next === undefined ? item : topOf(next)
  }
  const isVisible = (item: Item): boolean => {
    if (rule.libraryIds !== null && !rule.libraryIds.includes(item.libraryId)) return false
    if (rule.maxAge !== null && ageOf(item) > rule.maxAge) return false
    const isHiddenIfUnrated = rule.maxAge !== null && !rule.allowsUnrated && RATED_TYPES.has(item.type)
    if (isHiddenIfUnrated && topOf(item).age === null) return false
    const own = new Set(tagsOf(item))
    if (rule.blockedTags.map(foldTag).some((tag) => own.has(tag))) return false
    const top = new Set(topOf(item).tags.map(foldTag))
    return rule.allowedTags.every((list) => list.length === 0 || list.map(foldTag).some((tag) => top.has(tag)))
  }
  return items.filter(isVisible).map(({ id }) => id)
}

async function readItems(db: Database): Promise<Item[]> {
  const rows = await db.any(sql.unsafe`
    select id, library_id, parent_id, primary_id, role, type, (metadata ->> 'rating') as rating,
      coalesce(local_metadata -> 'tags', metadata -> 'tags', '[]') as tags from media_items order by id`)
  return rows.map((row) => {
    const item = row as Item & { rating: string | null }
    return Object.assign(item, {
      tags: item.tags.filter((tag) => tag.trim() !== ''),
      age: item.rating === null ? null : Number(item.rating),
    })
  })
}

async function makeLibraries(db: Database): Promise<string[]> {
  return (await db.anyFirst(sql.unsafe`
    insert into libraries (name, type, created_at, updated_at) values ('a', 'series', now(), now()), ('b', 'movie', now(), now())
    returning id`)) as string[]
}

type NewItem = {
  libraryId: string
  type?: string
  parentId?: string | null
  primaryId?: string | null
  rating?: string
  tags?: string[]
}

async function insert(
  db: Pick<Database, 'oneFirst'>,
  { libraryId, type = 'movie', parentId = null, primaryId = null, rating, tags }: NewItem,
): Promise<string> {
  const metadata = { ...(rating !== undefined && { rating }), ...(tags !== undefined && { tags }) }
  const name = randomUUID()
  return String(
    await db.oneFirst(sql.unsafe`
      insert into media_items (library_id, parent_id, primary_id, role, type, name, sort_title, metadata, added_at, created_at, updated_at)
      values (${libraryId}, ${parentId}, ${primaryId}, ${primaryId === null ? null : 'extra'}, ${type}, ${name}, ${name}, ${sql.jsonb(metadata)}, now(), now(), now())
      returning id`),
  )
}

function someOf<Value>(random: SeededRandom, values: readonly Value[], highest: number): Value[] {
  return Array.from({ length: random.below(highest + 1) }, () => random.pick(values))
}

function randomRule(random: SeededRandom, libraryIds: readonly string[]): AccessRule {
  const tags = SPELLINGS.filter((text) => text.trim() !== '')
  return {
    libraryIds: random.below(3) === 0 ? someOf(random, libraryIds, 2) : null,
    maxAge: random.below(2) === 0 ? random.pick(AGES) : null,
    allowsUnrated: random.below(2) === 0,
    blockedTags: someOf(random, tags, 2),
    allowedTags: Array.from({ length: random.below(3) }, () => someOf(random, tags, 2)),
  }
}

async function changeSomething(db: Database, random: SeededRandom): Promise<void> {
  const ids = (await db.anyFirst(sql.unsafe`select id from media_items order by created_at, id`)) as string[]
  const id = random.pick(ids)
  const tags = sql.jsonb(someOf(random, SPELLINGS, 3))
  const kind = random.below(5)
  if (kind === 0) {
    await db.query(
      sql.unsafe`update media_items set metadata = jsonb_build_object('tags', ${tags}::jsonb, 'rating', ${String(random.pick(AGES))}::text) where id = ${id}`,
    )
  } else if (kind === 1) {
    await db.query(
      sql.unsafe`update media_items set local_metadata = jsonb_build_object('tags', ${tags}::jsonb) where id = ${id}`,
    )
  } else if (kind === 2) {
    await db.query(sql.unsafe`update media_items set local_metadata = '{}', metadata = '{}' where id = ${id}`)
  } else if (kind === 3) {
    await db.query(sql.unsafe`update media_items set parent_id = null where id = ${id}`)
  } else {
    await db.query(sql.unsafe`delete from media_items where id = ${id}`)
  }
}

void t.test('views show what the plain rule shows, for random trees, rules and changes', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const random = seededRandom(70)
  const libraryIds = await makeLibraries(db)
  const added: string[] = []
  for (let count = 0; count < 60; count += 1) {
    const belongs = added.length > 0 && random.below(3) > 0
    const owner = belongs ? random.pick(added) : null
    const rating = random.below(3) === 0 ? undefined : String(random.pick(AGES))
    const item: NewItem = {
      libraryId: random.pick(libraryIds),
      type: random.pick(['movie', 'series', 'episode', 'audio', 'image']),
      ...(random.below(3) === 0 ? { primaryId: owner } : { parentId: owner }),
      ...(rating !== undefined && { rating }),
      ...(random.below(3) > 0 && { tags: someOf(random, SPELLINGS, 3) }),
    }
    added.push(await insert(db, item))
  }
  for (let round = 0; round < 12; round += 1) {
    const accountRule = randomRule(random, libraryIds)
    const rule = round % 2 === 0 ? accountRule : intersectRules(accountRule, randomRule(random, libraryIds))
    const policy = await namedPolicy(db, rule)
    if (policy === undefined) continue
    const limited = await openLimitedPool(services, policy)
    t.teardown(() => limited.end())
    for (let change = 0; change < 4; change += 1) {
      const items = await readItems(db)
      const expected = visibleIds(items, rule)
      const seen = await limited.anyFirst(sql.unsafe`select id from media_items order by id`)
      t.strictSame(seen, expected, `round ${round}: ${JSON.stringify(rule)}`)
      const counted = await limited.oneFirst(sql.unsafe`
        select coalesce(sum(count), 0)::int from item_tallies where kind = 'items'`)
      t.equal(counted, items.filter(({ id, role }) => role === null && expected.includes(id)).length, 'and counts them')
      await changeSomething(db, random)
    }
  }
})

void t.test('an intersection shows what both rules show', async (t) => {
  const { db } = await testServices(t)
  const random = seededRandom(71)
  const libraryIds = await makeLibraries(db)
  const items: Item[] = Array.from({ length: 200 }, (_, index) => ({
    id: String(index),
    libraryId: random.pick(libraryIds),
    parentId: null,
    primaryId: null,
    role: null,
    type: random.pick(['movie', 'audio']),
    age: random.below(3) === 0 ? null : random.pick(AGES),
    tags: someOf(random, ['gore', 'kids', 'family'], 2),
  }))
  for (let round = 0; round < 300; round += 1) {
    const [a, b] = [randomRule(random, libraryIds), randomRule(random, libraryIds)]
    const both = visibleIds(items, b).filter((id) => visibleIds(items, a).includes(id))
    t.strictSame(visibleIds(items, intersectRules(a, b)), both, JSON.stringify([a, b]))
    t.strictSame(
      computeRuleFingerprint(intersectRules(a, b)),
      computeRuleFingerprint(intersectRules(b, a)),
      'in any order',
    )
  }
})

void t.test('a rule without tags is still the policy that it was before there were tags', (t) => {
  t.equal(
    computeRuleFingerprint({ ...EVERYTHING, maxAge: 12 }).toString('hex'),
    'c7c9c8b6e5e7ac66ce79f74b573c25fa65686dd903a1575cc72bac9d2263ed81',
  )
  t.end()
})

void t.test('an item that is written while a rule names a new tag gets the tag', async (t) => {
  const { pool: db, connectionUri } = await testDatabase(t)
  const [libraryId = ''] = await makeLibraries(db)
  const [one, other] = [
    new Client({ connectionString: connectionUri }),
    new Client({ connectionString: connectionUri }),
  ]
  for (const client of [one, other]) {
    await client.connect()
    t.teardown(() => client.end())
  }
  const tagsOf = (id: string) => db.oneFirst(sql.unsafe`select access_tags from media_items where id = ${id}`)
  const untilOneWaits = async (): Promise<void> => {
    await waitUntil('one of them waits for the other', async () =>
      db.exists(sql.unsafe`
        select from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`),
    )
  }
  const write = async (client: Client, tag: string): Promise<string> => {
    const { rows } = await client.query<{ id: string }>(
      `insert into media_items (library_id, type, name, sort_title, metadata, added_at, created_at, updated_at)
       values ($1, 'movie', $2, $2, jsonb_build_object('tags', jsonb_build_array($2::text)), now(), now(), now()) returning id`,
      [libraryId, tag],
    )
    return rows[0]?.id ?? ''
  }
  await one.query('begin')
  await one.query("select pg_advisory_xact_lock(hashtextextended('phlix:access-tags', 0))")
  await one.query("insert into access_tags (tag, is_written) values ('first', false)")
  const writing = write(other, 'First')
  await untilOneWaits()
  await one.query('commit')
  t.strictSame(await tagsOf(await writing), ['first'], 'after the rule has looked for it')

  await one.query('begin')
  const id = await write(one, 'Second')
  const naming = ensureItemsCarryTags({ db }, { ...EVERYTHING, blockedTags: ['second'] })
  await untilOneWaits()
  await one.query('commit')
  await naming
  t.strictSame(await tagsOf(id), ['second'], 'before the rule looks for it')
})

void t.test('tags follow edits, and what belongs to the item', async (t) => {
  const { db } = await testServices(t)
  const [libraryId = ''] = await makeLibraries(db)
  await namedPolicy(db, { ...EVERYTHING, blockedTags: ['gore', 'war'], allowedTags: [['kids']] })
  const says = (id: string) =>
    db.oneFirst(sql.unsafe`
      select concat_ws(' / ', array_to_string(access_tags, ','), array_to_string(access_top_tags, ',')) from media_items where id = ${id}`)
  const series = await insert(db, { libraryId, type: 'series', tags: ['Kids', 'Cartoon'] })
  const episode = await insert(db, { libraryId, type: 'episode', parentId: series, tags: ['war'] })
  const extra = await insert(db, { libraryId, type: 'video', primaryId: episode, tags: ['making of'] })
  t.strictSame(await Promise.all([series, episode, extra].map(says)), [
    'kids / kids',
    'kids,war / kids',
    'kids,war / kids',
  ])
  await db.query(sql.unsafe`update media_items set local_metadata = '{"tags": ["GORE"]}' where id = ${series}`)
  t.strictSame(await Promise.all([series, episode, extra].map(says)), [
    'gore / gore',
    'gore,war / gore',
    'gore,war / gore',
  ])
  await db.query(sql.unsafe`update media_items set access_tags = null, access_top_tags = '{kids}' where id = ${extra}`)
  t.equal(await says(extra), 'gore,war / gore', 'nobody else writes them')
  for (const tags of ['"gore"', '{"gore": true}', '[["gore"], 5, null, {"name": "gore"}]', 'null']) {
    await db.query(
      sql.unsafe`update media_items set local_metadata = jsonb_build_object('tags', ${tags}::jsonb) where id = ${series}`,
    )
    t.equal(await says(series), '', `${tags} has no tags`)
  }
})

void t.test('a rule is given to nobody before all items carry its tags', async (t) => {
  const { db } = await testServices(t)
  const [libraryId = ''] = await makeLibraries(db)
  const id = await insert(db, { libraryId, tags: ['Gore'] })
  const rule = { ...EVERYTHING, blockedTags: ['gore'] }
  await t.rejects(checkAndStoreRule(db, rule), { code: 'database_unavailable' })
  // An attempt that was interrupted after it had added the tag.
  await db.query(sql.unsafe`insert into access_tags (tag, is_written) values ('gore', false)`)
  await t.rejects(checkAndStoreRule(db, rule), { code: 'database_unavailable' })
  t.match(await namedPolicy(db, rule), { id: /^\d+$/ })
  t.strictSame(await db.oneFirst(sql.unsafe`select access_tags from media_items where id = ${id}`), ['gore'])
})

void t.test('tags are written in parts, also to what belongs to the items', async (t) => {
  const { db } = await testServices(t)
  const [libraryId = ''] = await makeLibraries(db)
  await db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, metadata, added_at, created_at, updated_at)
    select ${libraryId}, 'series', n, n, '{"tags": ["War"]}', now(), now(), now() from generate_series(1, 2500) n`)
  await db.query(sql.unsafe`
    insert into media_items (library_id, parent_id, type, name, sort_title, added_at, created_at, updated_at)
    select library_id, id, 'episode', name, name, now(), now(), now() from media_items`)
  await ensureItemsCarryTags({ db }, { ...EVERYTHING, blockedTags: ['war'] })
  t.strictSame(
    await db.any(
      sql.unsafe`select type, count(*)::int as count from media_items where access_tags = '{war}' group by type order by type`,
    ),
    [
      { type: 'episode', count: 2500 },
      { type: 'series', count: 2500 },
    ],
  )
})

void t.test('what an account names it must see; what the limits had before stays', async (t) => {
  const { db } = await testServices(t)
  const [shown = '', hidden = ''] = await makeLibraries(db)
  await insert(db, { libraryId: shown, tags: ['Kids'], rating: '6' })
  await insert(db, { libraryId: shown, tags: ['Gore'], rating: '18' })
  await insert(db, { libraryId: shown, tags: ['Secret', 'Blocked'], rating: '6' })
  await insert(db, { libraryId: hidden, tags: ['Elsewhere'], rating: '0' })
  const seenBy = { ...EVERYTHING, libraryIds: [shown], maxAge: 12, blockedTags: ['blocked'] }
  await namedPolicy(db, seenBy)
  const check = (after: Partial<AccessRule>, before: Partial<AccessRule> = {}) =>
    requireVisibleLibrariesAndTags(db, {
      seenBy,
      before: { ...EVERYTHING, ...before },
      after: { ...EVERYTHING, ...after },
    })
  await check({ blockedTags: ['KIDS'], libraryIds: [shown.toUpperCase()] })
  for (const tag of ['gore', 'secret', 'elsewhere', 'never seen']) {
    await t.rejects(
      check({ blockedTags: [tag] }),
      { code: 'invalid_access', message: /nothing that this account/ },
      tag,
    )
    await t.rejects(check({ allowedTags: [['kids', tag]] }), { code: 'invalid_access' }, tag)
  }
  await check({ blockedTags: ['gore', 'kids'] }, { blockedTags: ['gore'] })
  const unknown = await check({ libraryIds: [randomUUID()] }).catch((error: Error) => error.message.slice(0, 20))
  const unseen = await check({ libraryIds: [hidden] }).catch((error: Error) => error.message.slice(0, 20))
  t.equal(unknown, unseen, 'a hidden library is an unknown one')
  await check({ libraryIds: [hidden, shown] }, { libraryIds: [hidden] })
})

void t.test('policies and tags that nobody has used for an hour are deleted', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const [libraryId = ''] = await makeLibraries(db)
  const id = await insert(db, { libraryId, tags: ['Gore', 'War', 'New'] })
  await namedPolicy(db, { ...EVERYTHING, blockedTags: ['gore'] })
  const used = await namedPolicy(db, { ...EVERYTHING, allowedTags: [['war']] })
  await db.query(sql.unsafe`
    insert into users (username, email, password_hash, is_admin, status, policy_id, created_at, updated_at)
    values ('kim', 'kim@example.test', '$argon2id$x', false, 'active', ${used?.id ?? null}, now(), now())`)
  t.strictSame(await deleteUnusedAccess({ db }), { policies: 0, tags: 0 }, 'not at once')
  await db.query(sql.unsafe`update access_policies set named_at = now() - interval '61 minutes'`)
  await db.query(sql.unsafe`update access_tags set named_at = now() - interval '61 minutes'`)
  await ensureItemsCarryTags({ db }, { ...EVERYTHING, blockedTags: ['new'] })
  t.strictSame(await deleteUnusedAccess({ db }), { policies: 1, tags: 1 })
  t.strictSame(await db.anyFirst(sql.unsafe`select tag from access_tags order by tag`), ['new', 'war'])
  t.strictSame(await db.oneFirst(sql.unsafe`select access_tags from media_items where id = ${id}`), ['new', 'war'])
  t.strictSame(await db.anyFirst(sql.unsafe`select id from access_policies`), [used?.id])
})

void t.test('a repetition leaves the items that carry the tags already', async (t) => {
  const { db } = await testServices(t)
  await insert(db, { libraryId: (await makeLibraries(db))[0] ?? '', tags: ['Gore'] })
  const placeAfter = async () => {
    await ensureItemsCarryTags({ db }, { ...EVERYTHING, blockedTags: ['gore'] })
    return db.oneFirst(
      sql.unsafe`update access_tags set is_written = false returning (select ctid::text from media_items)`,
    )
  }
  t.equal(await placeAfter(), await placeAfter())
})
