import t from 'tap'
import { parseQueryString } from '../../../src/daemon/http/query-string.ts'

const CASES: [claim: string, text: string, expected: Record<string, string | string[]>][] = [
  ['a plain value is a text', 'sort=name&order=desc', { sort: 'name', order: 'desc' }],
  ['brackets make a list, even of one', 'genres[]=Drama', { genres: ['Drama'] }],
  ['percent-encoded brackets do too', 'genres%5B%5D=Drama&genres%5B%5D=Crime', { genres: ['Drama', 'Crime'] }],
  ['numbered brackets do too', 'genres[0]=Drama&genres[1]=Crime', { genres: ['Drama', 'Crime'] }],
  ['a repeated name is a list', 'genres=Drama&genres=Crime', { genres: ['Drama', 'Crime'] }],
  ['the forms add up', 'genres=A&genres[]=B&genres[7]=C', { genres: ['A', 'B', 'C'] }],
  ['a comma belongs to the value', 'genres=A,B', { genres: 'A,B' }],
  ['an empty value is none', 'libraryId=&search=&genres[]=&limit=5', { limit: '5' }],
  ['plus and percent are decoded', 'search=a+b%20c%26', { search: 'a b c&' }],
  ['a broken percent stays text', 'search=%zz', { search: '%zz' }],
  ['other brackets belong to the name', 'a[b]=1', { 'a[b]': '1' }],
]

void t.test('query strings', (t) => {
  for (const [claim, text, expected] of CASES) t.same(parseQueryString(text), expected, claim)
  t.end()
})

void t.test('__proto__ is a name like any other and reaches no prototype', (t) => {
  const query = parseQueryString('__proto__=1&__proto__[]=2&constructor=3')
  t.equal(Object.getPrototypeOf(query), null)
  t.strictSame(Object.keys(query), ['__proto__', 'constructor'])
  t.equal(({} as Record<string, unknown>)['2'], undefined)
  t.end()
})

void t.test('no more than 500 parameters are read', (t) => {
  const text = Array.from({ length: 2000 }, (_, index) => `p${index}=1`).join('&')
  t.equal(Object.keys(parseQueryString(text)).length, 500)
  t.end()
})
