import { FILMS, SERIES, SYLLABLES } from './api-catalogue.ts'

/**
 * A request, and the plainest SQL that reads the same rows from the same indexes. `round` makes each request of a series different.
 * `isSameOrder`: both return the same ids in the same order, which is checked.
 */
export type Question = {
  name: string
  path: (round: number) => string
  bare: (round: number) => { text: string; values: unknown[] }
  isSameOrder: boolean
}

const COLUMNS = `i.id, i.library_id, i.parent_id, i.type, i.name, i.sort_title, i.year, i.path, i.duration_seconds, i.metadata,
  i.local_metadata, i.added_at, i.created_at, i.updated_at`

const IN_FILMS = `i.library_id = '${FILMS}' and i.role is null and i.parent_id is null`

const WORDS = ['badelfi', 'gorhal', 'jukanlo', 'mernipas', 'rosil', 'tanvizo', 'bababa', 'lolo', 'zozo', 'nini']
const TYPOS = ['badefli', 'gorahl', 'jukalno', 'mernpias', 'rosli', 'tanvioz']

const select = (rest: string, ...values: unknown[]) => ({
  text: `select ${COLUMNS} from media_items i ${rest}`,
  values,
})

const ofRound = <Value>(values: readonly Value[], round: number): Value => values[round % values.length] as Value

/** Words of three syllables that occur in names. Each call returns another word, which was not searched for before. */
function newWords(): () => string {
  let count = 0
  return () => {
    const place = (count += 1)
    return [place, place >> 4, place >> 8].map((number) => SYLLABLES[number % SYLLABLES.length]).join('')
  }
}

/** The requests of the clients for a catalogue of this size. */
export function questionsOf(items: number, userId: string): Question[] {
  const deep = Math.floor(items / 10)
  const [ourWord, bareWord] = [newWords(), newWords()]
  return [
    {
      name: 'top level by name',
      path: (round) => `/media?libraryId=${FILMS}&topLevel=1&offset=${round % 500}`,
      bare: (round) => select(`where ${IN_FILMS} order by i.sort_key, i.id limit 50 offset $1`, round % 500),
      isSameOrder: true,
    },
    {
      name: 'newest first',
      path: (round) => `/media?libraryId=${FILMS}&topLevel=1&sort=added&order=desc&offset=${round % 500}`,
      bare: (round) => select(`where ${IN_FILMS} order by i.added_at desc, i.id desc limit 50 offset $1`, round % 500),
      isSameOrder: true,
    },
    {
      name: `${deep} deep by name`,
      path: (round) => `/media?libraryId=${FILMS}&topLevel=1&offset=${deep + round}`,
      bare: (round) => select(`where ${IN_FILMS} order by i.sort_key, i.id limit 50 offset $1`, deep + round),
      isSameOrder: true,
    },
    {
      name: `${deep} deep by time`,
      path: (round) => `/media?libraryId=${FILMS}&topLevel=1&sort=added&order=desc&offset=${deep + round}`,
      bare: (round) => select(`where ${IN_FILMS} order by i.added_at desc, i.id desc limit 50 offset $1`, deep + round),
      isSameOrder: true,
    },
    {
      name: 'series at the top',
      path: (round) => `/media?libraryId=${SERIES}&topLevel=1&offset=${round % 100}`,
      bare: (round) =>
        select(
          `where i.library_id = '${SERIES}' and i.role is null and i.parent_id is null order by i.sort_key, i.id limit 50 offset $1`,
          round % 100,
        ),
      isSameOrder: true,
    },
    {
      name: 'a genre',
      path: (round) => `/media?libraryId=${FILMS}&topLevel=1&genres[]=Genre%20${round % 20}`,
      bare: (round) =>
        select(
          `where ${IN_FILMS} and i.facets && array[$1] order by i.sort_key, i.id limit 50`,
          `g:genre ${round % 20}`,
        ),
      isSameOrder: true,
    },
    {
      name: 'an actor and a genre',
      path: (round) => `/media?libraryId=${FILMS}&actors[]=Actor%20${round % 50}&genres[]=Genre%20${round % 20}`,
      bare: (round) =>
        select(
          `where ${IN_FILMS} and i.facets && array[$1] and i.facets && array[$2] order by i.sort_key, i.id limit 50`,
          `g:genre ${round % 20}`,
          `a:actor ${round % 50}`,
        ),
      isSameOrder: true,
    },
    {
      name: 'a range of years',
      path: (round) => `/media?libraryId=${FILMS}&yearFrom=${1950 + (round % 60)}&yearTo=${1955 + (round % 60)}`,
      bare: (round) =>
        select(
          `where ${IN_FILMS} and i.year between $1 and $2 order by i.sort_key, i.id limit 50`,
          1950 + (round % 60),
          1955 + (round % 60),
        ),
      isSameOrder: true,
    },
    {
      name: 'search of a word',
      path: (round) => `/media/search?q=${ofRound(WORDS, round)}`,
      bare: (round) =>
        select(
          'where i.role is null and i.search_name like $1 order by i.sort_key limit 50',
          `%${ofRound(WORDS, round)}%`,
        ),
      isSameOrder: false,
    },
    {
      name: 'search of a new word',
      path: () => `/media/search?q=${ourWord()}`,
      bare: () =>
        select('where i.role is null and i.search_name like $1 order by i.sort_key limit 50', `%${bareWord()}%`),
      isSameOrder: false,
    },
    {
      name: 'search of three letters',
      path: (round) => `/media/search?q=${ofRound(WORDS, round).slice(0, 3)}`,
      bare: (round) =>
        select(
          'where i.role is null and i.search_name like $1 order by i.sort_key limit 50',
          `%${ofRound(WORDS, round).slice(0, 3)}%`,
        ),
      isSameOrder: false,
    },
    {
      name: 'search with a typing error',
      path: (round) => `/media/search?q=${ofRound(TYPOS, round)}`,
      bare: (round) => select('where i.role is null and $1 <% i.search_name limit 50', ofRound(TYPOS, round)),
      isSameOrder: false,
    },
    {
      name: 'letters of a library',
      path: () => `/media/letter-index?libraryId=${FILMS}&topLevel=1`,
      bare: () => ({
        text: `select i.label, sum(i.count) from item_tallies i
          where i.kind = 'letter' and i.library_id = '${FILMS}' and i.is_top_level group by 1`,
        values: [],
      }),
      isSameOrder: false,
    },
    {
      name: 'favourites',
      path: (round) => `/users/me/favorites?offset=${round % 100}`,
      bare: (round) =>
        select(
          `join user_items u on u.media_item_id = i.id where u.profile_id = $1 and u.favourite_since is not null
            order by u.favourite_since desc, u.media_item_id limit 50 offset $2`,
          userId,
          round % 100,
        ),
      isSameOrder: true,
    },
    {
      name: 'continue watching',
      path: () => '/users/me/continue-watching',
      bare: () =>
        select(
          `join playback_states s on s.media_item_id = i.id where s.profile_id = $1 and s.status in ('playing', 'paused')
            and s.position_ticks > 0 order by s.updated_at desc limit 10`,
          userId,
        ),
      isSameOrder: true,
    },
  ]
}
