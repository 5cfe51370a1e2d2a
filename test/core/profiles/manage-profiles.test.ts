import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { findPolicyIdsOf, readAccessRule, type AccessRule } from '../../../src/core/access/index.ts'
import { createAccount, deleteAccount, setAccess, updateAccount } from '../../../src/core/accounts/index.ts'
import {
  createProfile,
  deleteProfile,
  getNamedProfile,
  getProfile,
  listProfiles,
  updateProfile,
} from '../../../src/core/profiles/index.ts'
import { createLibrary } from '../../../src/core/libraries/index.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { testServices } from '../../support/services.ts'

async function setup(t: Test) {
  const services = await testServices(t)
  const account = (username: string, isAdmin = false) =>
    createAccount(services, { username, email: `${username}@example.test`, password: 'correct horse', isAdmin })
  const { id: accountId } = await account('ann')
  const library = async (name: string) =>
    (await createLibrary(services, { name, type: 'movie', path: reachableDirectory(t) })).id
  const effective = async (id: string): Promise<AccessRule> =>
    readAccessRule(services.db, (await findPolicyIdsOf(services.db, [id])).get(id) ?? null)
  return { services, account, accountId, library, effective }
}

void t.test('every account has a main profile with its id, which follows its name', async (t) => {
  const { services, accountId } = await setup(t)
  t.match(await listProfiles(services, { accountId }), [
    { id: accountId, name: 'ann', isMain: true, isKids: false, hasPin: false, mayDownload: true, policyId: null },
  ])
  await updateAccount(services, { accountId, fields: { username: 'anna' } })
  t.match(await getProfile(services, { id: accountId }), { name: 'anna' })
  await updateProfile(services, { id: accountId, fields: { name: 'Mum', avatar: 'owl' } })
  await updateAccount(services, { accountId, fields: { username: 'ann' } })
  t.match(await getProfile(services, { id: accountId }), { name: 'Mum', avatar: 'owl' })
  await deleteAccount(services, { accountId })
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*)::int from profiles`), 0)
})

void t.test(
  'a profile for a child sees up to 7, nothing unrated, and downloads nothing, unless told otherwise',
  async (t) => {
    const { services, accountId, effective } = await setup(t)
    const kid = await createProfile(services, { accountId, fields: { name: 'Kim', isKids: true } })
    t.match(kid, { isKids: true, mayDownload: false })
    t.match(await effective(kid.id), { libraryIds: null, maxAge: 7, allowsUnrated: false })
    const older = await createProfile(services, {
      accountId,
      fields: { name: 'Tim', isKids: true, mayDownload: true, limits: { maxAge: 12, allowsUnrated: true } },
    })
    t.match(older, { mayDownload: true })
    t.match(await effective(older.id), { libraryIds: null, maxAge: 12, allowsUnrated: true })
    const teen = await createProfile(services, { accountId, fields: { name: 'Jim', limits: { maxAge: 16 } } })
    await updateProfile(services, { id: teen.id, fields: { isKids: true } })
    t.match(await effective(teen.id), { maxAge: 16 }, 'a limit that is there stays')
  },
)

void t.test('what applies are the limits of the account and of the profile together', async (t) => {
  const { services, accountId, library, effective } = await setup(t)
  const [films, series, music] = [await library('Films'), await library('Series'), await library('Music')]
  const { id } = await createProfile(services, {
    accountId,
    fields: { name: 'Kim', limits: { libraryIds: [films, series], maxAge: 12, allowsUnrated: true } },
  })
  await setAccess(services, { accountId, changes: { libraryIds: [series, music], maxAge: 16, allowsUnrated: false } })
  t.match(await effective(id), { libraryIds: [series], maxAge: 12, allowsUnrated: false })
  t.match(await effective(accountId), { libraryIds: [series, music].toSorted(), maxAge: 16 })
  await setAccess(services, { accountId, changes: { maxAge: 6, allowsUnrated: true } })
  t.match(await effective(id), { maxAge: 6, allowsUnrated: true })
  await updateProfile(services, { id, fields: { limits: { libraryIds: null, maxAge: null } } })
  t.strictSame(await effective(id), await effective(accountId))
  const ids = await findPolicyIdsOf(services.db, [id, accountId])
  t.equal(ids.get(id), ids.get(accountId), 'equal rules are one policy')
  await setAccess(services, { accountId, changes: { libraryIds: null, maxAge: null } })
  t.equal((await findPolicyIdsOf(services.db, [id])).get(id), null)
})

void t.test('the main profile is neither limited nor deleted, and the last one stays', async (t) => {
  const { services, accountId } = await setup(t)
  await t.rejects(deleteProfile(services, { id: accountId }), { code: 'profile.last_profile' })
  const { id } = await createProfile(services, { accountId, fields: { name: 'Kim' } })
  await t.rejects(deleteProfile(services, { id: accountId }), { code: 'profile.main_profile' })
  for (const fields of [{ isKids: true }, { mayDownload: false }, { limits: { maxAge: 12 } }]) {
    await t.rejects(updateProfile(services, { id: accountId, fields }), { code: 'profile.main_profile' })
  }
  await deleteProfile(services, { id })
  await t.rejects(getProfile(services, { id }), { code: 'profile_not_found' })
})

void t.test('names are 3 to 50 characters and unique in an account; there are at most twenty', async (t) => {
  const { services, account, accountId } = await setup(t)
  const { id: other } = await account('bob')
  const add = (name: string, of = accountId) => createProfile(services, { accountId: of, fields: { name } })
  for (const name of ['', 'ab', '  ab  ', 'x'.repeat(51), 'a\u0000bc', 'a\u202Ebc', '\uD800abc']) {
    await t.rejects(add(name), { code: 'profile.invalid', details: { field: 'name' } }, JSON.stringify(name))
  }
  const kim = await add('Kim')
  await t.rejects(add('KIM'), { code: 'profile.name_taken' })
  await add('Kim', other)
  t.match(await getNamedProfile(services, { accountId, idOrName: 'kIM' }), { id: kim.id })
  t.match(await getNamedProfile(services, { accountId, idOrName: kim.id.toUpperCase() }), { id: kim.id })
  await t.rejects(getNamedProfile(services, { accountId: other, idOrName: kim.id }), { code: 'profile_not_found' })
  await t.rejects(getProfile(services, { id: kim.id, accountId: other }), { code: 'profile_not_found' })
  for (const avatar of ['<b>', 'a b', 'x'.repeat(51), '../x/'])
    await t.rejects(updateProfile(services, { id: kim.id, fields: { avatar } }), { code: 'profile.invalid' }, avatar)
  const all = await Promise.allSettled(Array.from({ length: 25 }, (_, number) => add(`Person ${number}`)))
  t.equal(all.filter(({ status }) => status === 'fulfilled').length, 18, 'beside the main one and Kim')
})

void t.test('a profile is changed and narrowed after one of its libraries was deleted', async (t) => {
  const { services, accountId, library, effective } = await setup(t)
  const [films, series] = [await library('Films'), await library('Series')]
  const fields = { name: 'Kim', limits: { libraryIds: [films, series] } }
  const { id } = await createProfile(services, { accountId, fields })
  await services.db.query(sql.unsafe`delete from libraries where id = ${films}`)
  t.match(await updateProfile(services, { id, fields: { name: 'Kimmy' } }), { name: 'Kimmy' })
  await updateProfile(services, { id, fields: { limits: { blockedTags: ['gore'] } }, isByAccount: false })
  t.match(await effective(id), { libraryIds: [series], blockedTags: ['gore'] })
  await services.db.query(sql.unsafe`delete from libraries`)
  await updateProfile(services, { id, fields: { isKids: true } })
  t.match(await effective(id), { libraryIds: [], maxAge: 7 }, 'nothing, not everything')
})

void t.test('changes of a list at the same time are all kept', async (t) => {
  const { services, accountId, effective } = await setup(t)
  const { id } = await createProfile(services, { accountId, fields: { name: 'Kim' } })
  const tags = ['gore', 'explicit', 'horror', 'war', 'violence']
  await Promise.all(
    tags.map((tag) =>
      updateProfile(services, {
        id,
        fields: { limits: ({ blockedTags }) => ({ blockedTags: [...blockedTags, tag] }) },
      }),
    ),
  )
  t.match(await effective(id), { blockedTags: tags.toSorted() })
})

void t.test('an account names libraries and tags only that it sees', async (t) => {
  const { services, accountId, library, effective } = await setup(t)
  const [films, series] = [await library('Films'), await library('Series')]
  await services.db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, metadata, added_at, created_at, updated_at)
    values (${films}, 'movie', 'a', 'a', '{"tags": ["Gore"]}', now(), now(), now()),
      (${series}, 'movie', 'b', 'b', '{"tags": ["Hidden"]}', now(), now(), now())`)
  await setAccess(services, { accountId, changes: { libraryIds: [films] } })
  const make = (limits: Partial<AccessRule>, isByAccount = true) =>
    createProfile(services, { accountId, fields: { name: `Kim ${randomUUID()}`, limits }, isByAccount })
  for (const limits of [{ libraryIds: [series] }, { blockedTags: ['hidden'] }, { allowedTags: [['unknown']] }]) {
    await t.rejects(make(limits), { code: 'invalid_access' }, JSON.stringify(limits))
  }
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*)::int from access_tags`), 0, 'and leaves nothing behind')
  const { id } = await make({ libraryIds: [films], blockedTags: ['GORE'] })
  t.match(await effective(id), { blockedTags: ['gore'] })
  await updateProfile(services, { id, fields: { limits: { blockedTags: ['gore', 'unknown'] } } })
  await updateProfile(services, { id, fields: { limits: { maxAge: 12 } }, isByAccount: true })
  t.match(await effective(id), { maxAge: 12, blockedTags: ['gore', 'unknown'] }, 'what an administrator named stays')
  await make({ libraryIds: [series] }, false)
})
