import t from 'tap'
import { checkDeclaredQuery, declaredQuery } from '../../../src/daemon/http/declared-keys.ts'

const camel = { type: 'object', properties: { libraryId: {}, yearFrom: {}, q: {} } }
const snake = { type: 'object', properties: { library_id: {}, album_id: {}, q: {} } }
const plain = (query: object) => ({ ...query })

void t.test('a parameter is read in both spellings, under the name that the route declares', (t) => {
  t.strictSame(plain(declaredQuery(camel, { library_id: 'a', year_from: '1', q: 'x' })), {
    libraryId: 'a',
    yearFrom: '1',
    q: 'x',
  })
  t.strictSame(plain(declaredQuery(snake, { libraryId: 'a', albumId: 'b' })), { library_id: 'a', album_id: 'b' })
  t.strictSame(plain(declaredQuery(camel, { library_id: 'a', libraryId: 'b' })), { libraryId: 'b' })
  t.end()
})

void t.test('other spellings, undeclared keys and keys of prototypes are dropped', (t) => {
  const query = {
    LibraryId: 'a',
    'library-id': 'b',
    libraryid: 'c',
    _q: 'd',
    other: 'e',
    __proto__: { libraryId: 'f' },
  }
  t.strictSame(plain(declaredQuery(camel, query)), {})
  t.equal(Object.getPrototypeOf(declaredQuery(camel, query)), null)
  t.throws(() => declaredQuery(undefined, {})['q'], /without a querystring schema/)
  t.end()
})

void t.test('a schema must list its keys', (t) => {
  const route = (querystring: unknown) => ({ method: 'GET', url: '/x', schema: { querystring } })
  t.doesNotThrow(() => checkDeclaredQuery(route(camel)))
  t.throws(() => checkDeclaredQuery(route({ type: 'object', additionalProperties: true })), /list its keys/)
  t.end()
})
