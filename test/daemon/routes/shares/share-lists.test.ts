import { sql } from 'slonik'
import t from 'tap'
import { pick } from '../../../support/app.ts'
import { openLink, share, SHARES, startWithFilms, type SharedFilms } from '../../../support/shares.ts'

/** Links of an account that have expired. */
async function plantExpired({ services: { db }, idOf }: SharedFilms, accountId: string, count: number): Promise<void> {
  await db.query(sql.unsafe`
    with made as (
      insert into shares (user_id, profile_id, kind, subject_id, digest, allows_download, created_at, expires_at)
      select ${accountId}, ${accountId}, 'item', ${idOf('A film')}, sha256((${accountId} || n)::bytea), false, now() - interval '2 days',
        now() - interval '1 day' + n * interval '1 second'
      from generate_series(1, ${count}) n returning id)
    insert into share_items (share_id, media_item_id, position) select id, ${idOf('A film')}, 1 from made`)
}

void t.test('of links that ended the newest are kept, without what they have shown', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { db } = app.services
  await plantExpired(app, app.user.account.id, 300)
  const revoked = await share(app, app.user, { item_id: app.idOf('A film') })
  const count = async (table: 'shares' | 'share_items') =>
    Number(
      await db.oneFirst(
        table === 'shares'
          ? sql.unsafe`select count(*)::int from shares`
          : sql.unsafe`select count(*)::int from share_items`,
      ),
    )
  t.equal(await count('shares'), 201)
  t.equal(await count('share_items'), 1)
  await openLink(app, revoked.token)
  await app.ask('DELETE', `${SHARES}/${revoked.id}`, { token: app.user.token })
  t.equal(await count('share_items'), 0)
  t.match(await app.ask('POST', '/s/open', { body: { token: revoked.token } }), { json: { code: 'share_revoked' } })
})

void t.test('links that can be opened are listed first, and the rest is on further pages', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { db } = app.services
  const own = await share(app, app.user, { item_id: app.idOf('A film') })
  await plantExpired({ ...app }, await adminOf(app), 1100)
  // As if the ended ones were newer.
  await db.query(sql.unsafe`update shares set created_at = created_at - interval '3 days' where id = ${own.id}`)
  const admin = await app.signIn(await adminOf(app))
  const page = async (query = '') =>
    pick((await app.ask('GET', `/api/v1/admin/shares${query}`, { token: admin })).json, 'shares') as { id: string }[]
  const first = await page()
  t.equal(first.length, 1000)
  t.equal(first[0]?.id, own.id)
  const rest = await page('?offset=1000')
  t.equal(rest.length, 101)
  t.equal(new Set([...first, ...rest].map(({ id }) => id)).size, 1101)
  t.equal((await page('?limit=5&offset=1099')).length, 2)
})

async function adminOf({ services: { db } }: SharedFilms): Promise<string> {
  return String(await db.oneFirst(sql.unsafe`select id from users where is_admin`))
}

void t.test('new links of an address are limited', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { token } = app.user
  const answers = new Set<number>()
  for (let number = 0; number < 61; number += 1)
    answers.add((await app.ask('POST', SHARES, { token, body: { item_id: 'x' } })).status)
  t.strictSame([...answers], [404, 429])
})
