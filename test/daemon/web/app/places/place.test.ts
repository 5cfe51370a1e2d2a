import t from 'tap'
import { addressOf, HOME, listOf, parsePlace, type Place } from '../../../../../src/daemon/web/app/places/place.ts'

const PLACES: Place[] = [
  HOME,
  { page: 'search', words: 'a & b = ü' },
  { page: 'item', id: '1' },
  listOf(''),
  listOf('7', { sort: 'year', isDescending: true, genre: 'Sci-Fi & Fantasy' }),
  listOf('', { words: 'x', kind: 'episodes' }),
  { page: 'photos', library: '' },
  { page: 'photos', library: '7' },
  { page: 'albums' },
  { page: 'artists' },
  { page: 'artist', name: 'AC/DC & ü' },
  { page: 'album', title: 'A + B?', artist: '' },
  { page: 'album', title: ' spaces ', artist: 'AC/DC' },
]

void t.test('a page has an address that leads to it', (t) => {
  for (const place of PLACES) t.strictSame(parsePlace(addressOf(place).slice(1)), place, addressOf(place))
  t.equal(addressOf(HOME), '/')
  t.equal(addressOf(listOf('7')), '/?list=7')
  t.end()
})

void t.test('an address that says something unknown leads to the nearest page', (t) => {
  t.strictSame(parsePlace('?utm=1'), HOME)
  t.strictSame(parsePlace('?q='), HOME)
  t.strictSame(parsePlace('?music=toString'), HOME)
  t.strictSame(parsePlace('?list=7&sort=__proto__&kind=constructor&order=up'), listOf('7'))
  t.end()
})
