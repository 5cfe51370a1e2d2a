import { sql, type FragmentSqlToken } from 'slonik'
import t from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { exportAccount } from '../../../src/core/account-export/index.ts'
import { pageStatement } from '../../../src/core/account-export/queries/rows.ts'
import { EXPORT_SECTIONS } from '../../../src/core/account-export/queries/sections.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { plant, plantSession } from '../../support/access-canaries.ts'
import { testServices } from '../../support/services.ts'

const ITEMS = 3000
const START = '00000000-0000-0000-0000-000000000000'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** How many rows a statement has read from a table. */
function rowsRead(plan: Plan, table: string): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below, table), own)
}

void t.test('a page of a long list reads its own rows only, and all pages together each row once', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const input = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }
  const { id } = await createAccount(services, input)
  const profile = await createProfile(services, { accountId: id, fields: { name: 'Kim' } })
  const { libraryId } = await plant(db, 'movie', { word: 'zqfirst', rating: 'G', ownerId: id, day: 1 })
  await db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns, added_at, created_at, updated_at)
    select ${libraryId}, 'movie', 'F' || n, 'F', '/f' || n || '.mp4', sha256(('f' || n)::bytea), sha256('b'), 1, 1, now(), now(), now()
    from generate_series(1, ${ITEMS}) n`)
  await db.query(sql.unsafe`
    insert into user_items (profile_id, media_item_id, watched_at)
    select p.id, i.id, now() from media_items i cross join (select unnest(${sql.array([id, profile.id], 'uuid')}) as id) p`)
  const sessionId = await plantSession(db, id)
  await db.query(sql.unsafe`
    insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, reached_ticks)
    select ${sessionId}, ${id}, id, now(), now() - random() * interval '100 days', 1 from media_items`)
  await db.query(sql.unsafe`
    insert into playback_states (session_id, profile_id, media_item_id, status, position_ticks, started_at, updated_at)
    select ${sessionId}, ${id}, id, 'stopped', 1, now(), now() from media_items`)
  await db.query(sql.unsafe`analyze`)

  let text = ''
  for await (const chunk of await exportAccount(services, { accountId: id })) text += chunk
  const all = JSON.parse(text) as Record<
    'marks' | 'history' | 'positions',
    { profile_id?: string; item: { id: string } }[]
  >
  const total = Number(await db.oneFirst(sql.unsafe`select count(*)::int from media_items`))
  for (const [name, count] of [
    ['marks', 2 * total],
    ['history', total],
    ['positions', total],
  ] as const) {
    t.equal(all[name].length, count, name)
    t.equal(new Set(all[name].map((row) => `${row.profile_id} ${row.item.id}`)).size, count, name)
  }

  const keys = {
    marks: [START],
    history: [new Date(Date.now() - 50 * 86_400_000).toISOString(), START, START],
    positions: [START, START],
  }
  for (const [name, table] of [
    ['marks', 'user_items'],
    ['history', 'playback_records'],
    ['positions', 'playback_states'],
  ] as const) {
    const section = EXPORT_SECTIONS[name]
    if (section === undefined) throw new Error(`no section ${name}`)
    const plan = await explain(pageStatement(section, { ownerId: id, after: keys[name], limit: 100 }))
    t.ok(rowsRead(plan, table) <= 210, `${name}: ${rowsRead(plan, table)} rows`)
  }

  async function explain(statement: FragmentSqlToken): Promise<Plan> {
    const explained = await db.oneFirst(sql.unsafe`explain (analyze, format json) ${statement}`)
    const [{ Plan: plan }] = explained as [{ Plan: Plan }]
    return plan
  }
})
