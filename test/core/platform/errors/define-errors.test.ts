import t from 'tap'
import { AppError, defineErrors, describeError, systemErrorCode } from '../../../../src/core/platform/errors/index.ts'

const errors = defineErrors({
  film_not_found: { kind: 'not_found', title: 'Film not found', doc: 'No such film.' },
  dotted: { kind: 'unauthenticated', title: 'Unauthorized', code: 'auth.required', doc: 'No token.' },
})

void t.test('a factory makes an AppError with the code, kind and title of its row', (t) => {
  const cause = new Error('below')
  const error = errors.film_not_found({ message: 'No film 7', details: { id: 7 }, cause })
  t.ok(error instanceof AppError)
  t.match(error, {
    kind: 'not_found',
    code: 'film_not_found',
    title: 'Film not found',
    text: 'No film 7',
    details: { id: 7 },
  })
  t.equal(error.message, 'No film 7')
  t.equal(error.cause, cause)
  t.end()
})

void t.test('without a message of its own an error has the title as message and no text', (t) => {
  t.equal(errors.film_not_found().message, 'Film not found')
  t.equal(errors.film_not_found().text, undefined)
  t.end()
})

void t.test('a row may define a code that differs from its key', (t) => {
  t.equal(errors.dotted().code, 'auth.required')
  t.end()
})

void t.test('any thrown value can be described, and only system errors have an errno code', (t) => {
  t.equal(describeError(new Error('a')), 'a')
  t.equal(describeError('b'), 'b')
  t.equal(systemErrorCode(Object.assign(new Error('x'), { code: 'ENOENT' })), 'ENOENT')
  t.equal(systemErrorCode(Object.assign(new Error('x'), { code: 7 })), undefined)
  t.equal(systemErrorCode('ENOENT'), undefined)
  t.end()
})
