import t from 'tap'
import { sql } from 'slonik'
import { EVERYTHING } from '../../../src/core/access/index.ts'
import { createAccount, readApproval, registerAccount, setAccess } from '../../../src/core/accounts/index.ts'
import { changeSettings } from '../../../src/core/platform/settings/index.ts'
import { makeLibrary } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const PASSWORD = 'correct horse'

void t.test('limits can be narrowed after one of their libraries was deleted', async (t) => {
  const services = await testServices(t)
  const libraries = [
    await makeLibrary(services.db, t.testdir(), 'One'),
    await makeLibrary(services.db, t.testdir(), 'Two'),
  ]
  const libraryIds = libraries.map(({ id }) => id)
  const access = { ...EVERYTHING, libraryIds }
  const { id: accountId } = await createAccount(services, {
    username: 'kim',
    email: 'kim@example.test',
    password: PASSWORD,
    isAdmin: false,
    access,
  })
  await services.db.query(sql.unsafe`delete from libraries where id = ${libraryIds[0] ?? ''}`)
  const narrowed = await setAccess(services, { accountId, changes: { maxAge: 12 } })
  t.match(narrowed.access, { libraryIds: libraryIds.slice(1), maxAge: 12 })
  await services.db.query(sql.unsafe`delete from libraries`)
  t.match(
    (await setAccess(services, { accountId, changes: { maxAge: 6 } })).access,
    { libraryIds: [], maxAge: 6 },
    'nothing, not everything',
  )
  await t.rejects(setAccess(services, { accountId, changes: { libraryIds } }), { code: 'invalid_access' })
})

void t.test('while somebody has limits, an account that nobody has invited waits for an administrator', async (t) => {
  const services = await testServices(t)
  const make = (username: string) => ({ username, email: `${username}@example.test`, password: PASSWORD })
  await createAccount(services, { ...make('admin'), isAdmin: true })
  const register = async (username: string) =>
    registerAccount(services, {
      ...make(username),
      attempt: { mode: 'open', locality: 'private' },
      approval: await readApproval(services),
    })
  t.match(await register('ada'), { status: 'active' })
  const kim = await createAccount(services, { ...make('kim'), isAdmin: false })
  await setAccess(services, { accountId: kim.id, changes: { maxAge: 12 } })
  t.match(await register('bob'), { status: 'pending' })
  t.strictSame(await readApproval(services), { isNeededForInvited: false, isNeededForOthers: true })
  await changeSettings(services, { 'accounts.approval_beside_limits': false })
  t.match(await register('eve'), { status: 'active' }, 'an administrator can decide otherwise')
  await changeSettings(services, { 'accounts.approval': true })
  t.strictSame(await readApproval(services), { isNeededForInvited: true, isNeededForOthers: true })
})
