import t from 'tap'
import { factsOf, progressOf, stateOf, titleOf, type CardItem } from '../../../../../src/daemon/web/app/cards/facts.ts'
import { de } from '../../../../../src/daemon/web/app/messages/de.ts'
import { en } from '../../../../../src/daemon/web/app/messages/en.ts'

const MINUTE = 600_000_000
const item = (keys: Partial<CardItem>): CardItem => ({
  id: '1',
  name: 'A name',
  type: 'movie',
  poster_url: null,
  ...keys,
})
const own = (keys: Partial<NonNullable<CardItem['user_data']>>) =>
  item({ user_data: { favorite: false, watched: false, ...keys } })

void t.test('an episode has the title of the episode, everything else its name', (t) => {
  t.equal(titleOf(item({ episode_title: 'No' })), 'A name')
  t.equal(titleOf(item({ type: 'episode', episode_title: 'Pilot' })), 'Pilot')
  t.equal(titleOf(item({ type: 'episode', episode_title: null })), 'A name')
  t.end()
})

void t.test('the facts are what an item is, its number, its artist, its year and its length', (t) => {
  t.equal(factsOf(item({ year: 1999, runtime: 90 }), en), '1999 · 90 min')
  t.equal(factsOf(item({ runtime: 0, duration: 12 }), en), '12 s')
  t.equal(factsOf(item({ type: 'episode', season_number: 1, episode_number: 2 }), en), 'S1 E2')
  t.equal(factsOf(item({ type: 'episode', season_number: null, episode_number: 2 }), de), 'Folge 2')
  t.equal(factsOf(item({ type: 'audio', artist: 'Someone' }), en), 'Someone')
  t.equal(factsOf(item({ type: 'series' }), de), 'Serie')
  t.equal(factsOf(item({ type: 'constructor' }), en), '')
  t.end()
})

void t.test('the state says what is left, or that nothing is', (t) => {
  t.equal(stateOf(own({ watched: true, position_ticks: 5 * MINUTE, duration_ticks: 9 * MINUTE }), en), 'Watched')
  t.equal(stateOf(own({ position_ticks: 5 * MINUTE, duration_ticks: 9 * MINUTE }), en), '4 minutes left')
  t.equal(stateOf(item({ position_ticks: 5 * MINUTE, duration_ticks: 6 * MINUTE }), de), 'noch 1 Minute')
  t.equal(stateOf(own({ unwatched_episodes: 3, progress_percent: 50 }), en), '3 unwatched episodes')
  t.equal(
    stateOf(own({ unwatched_episodes: 3, progress_percent: 0 }), en),
    '',
    'a series that nobody began needs no count',
  )
  t.equal(stateOf(item({ progress_percent: 40.4 }), en), '40 %')
  t.equal(stateOf(item({}), en), '')
  t.equal(progressOf(own({ watched: true, progress_percent: 100 })), 0, 'no bar over what is done')
  t.equal(progressOf(item({ position_ticks: MINUTE, duration_ticks: 4 * MINUTE })), 25)
  t.end()
})
