import t from 'tap'
import { checkOwner } from '../../../src/core/accounts/index.ts'

void t.test('only the owner and administrators pass', (t) => {
  const check = (ownerId: string | null, by: { id: string; isAdmin: boolean }) => () =>
    checkOwner({ ownerId }, by, () => new Error('not the owner'))
  t.doesNotThrow(check('a', { id: 'a', isAdmin: false }))
  t.doesNotThrow(check('a', { id: 'b', isAdmin: true }))
  t.doesNotThrow(check(null, { id: 'b', isAdmin: true }))
  t.throws(check('a', { id: 'b', isAdmin: false }), { message: 'not the owner' })
  t.throws(check(null, { id: 'b', isAdmin: false }), { message: 'not the owner' })
  t.end()
})
