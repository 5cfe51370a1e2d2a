import t from 'tap'
import {
  afterRepeat,
  extended,
  ordered,
  placeAfterEnd,
  placeBeside,
  presentSong,
  queueOf,
  shuffled,
  withAddress,
  type Queue,
  type Song,
} from '../../../../../src/daemon/web/app/music/queue.ts'
import { seededRandom } from '../../../../support/seeded-random.ts'

const songs: Song[] = ['a', 'b', 'c', 'd', 'e'].map((id) => ({
  id,
  title: id,
  artist: '',
  album: '',
  albumArtist: '',
  pictureUrl: null,
  streamUrl: `/${id}`,
  durationSeconds: null,
}))

const inOrder = ({ songs: all, order }: Queue): string => order.map((index) => all[index]?.id).join('')

void t.test('one song follows the other until the end, where repetition begins again', (t) => {
  const queue = queueOf(songs, 3)
  t.equal(placeAfterEnd(queue), 4)
  t.equal(placeBeside(queue, -1), 2)
  const last = { ...queue, at: 4 }
  t.equal(placeAfterEnd(last), undefined)
  t.equal(placeBeside(queueOf(songs, 0), -1), undefined)
  t.equal(placeAfterEnd({ ...last, repeat: 'all' }), 0)
  t.equal(placeBeside({ ...queueOf(songs, 0), repeat: 'all' }, -1), 4)
  t.end()
})

void t.test('a repeated song follows itself, but “next” leads to the next one', (t) => {
  const queue: Queue = { ...queueOf(songs, 1), repeat: 'one' }
  t.equal(placeAfterEnd(queue), 1)
  t.equal(placeBeside(queue, 1), 2)
  t.equal(afterRepeat('off'), 'all')
  t.equal(afterRepeat('all'), 'one')
  t.equal(afterRepeat('one'), 'off')
  t.end()
})

void t.test(
  'a random order begins with the present song and has every song once; the order of the album returns',
  (t) => {
    const { fraction } = seededRandom(7)
    const random = shuffled(queueOf(songs, 2), fraction)
    t.equal(presentSong(random)?.id, 'c')
    t.equal(random.at, 0)
    t.equal(inOrder(random).split('').toSorted().join(''), 'abcde')
    const back = ordered({ ...random, at: 3 })
    t.equal(inOrder(back), 'abcde')
    t.equal(presentSong(back)?.id, presentSong({ ...random, at: 3 })?.id)
    t.end()
  },
)

void t.test('added songs come last, also in a random order', (t) => {
  const more = extended(
    shuffled(queueOf(songs.slice(0, 3), 0), () => 0),
    songs.slice(3),
  )
  t.match(inOrder(more), /^a[bc]{2}de$/)
  t.end()
})

void t.test('a new address belongs to the present song only', (t) => {
  const renewed = withAddress(
    shuffled(queueOf(songs, 2), () => 0),
    '/new',
  )
  t.equal(presentSong(renewed)?.streamUrl, '/new')
  t.strictSame(
    renewed.songs.map(({ streamUrl }) => streamUrl),
    ['/a', '/b', '/new', '/d', '/e'],
  )
  t.end()
})
