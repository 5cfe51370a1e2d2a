import type { Home } from '../api-types.d.ts'
import type { CardItem } from '../cards/facts.ts'
import type { Messages } from '../messages/en.ts'

export type HomeRow = {
  key: string
  title: string
  items: readonly CardItem[]
  /** Whether a card continues at once instead of opening a page. */
  isPlayed: boolean
  /** The library of a row of new items. */
  library?: { id: string; name: string }
}

/** The rows of the start page, in their order. */
export function homeRows(home: Home, texts: Messages): HomeRow[] {
  const { continue_listening: heard, continue_reading: read } = home
  // The title of an episode alone does not say of which series it is; its name does.
  const begun = home.continue_watching.filter(({ type }) => type !== 'audio').map((item) => withoutTitle(item))
  const listening = heard.map((book) => bookCard(book, 'audiobook'))
  const reading = read.map((book) => bookCard(book, 'book'))
  const suggestions = home.recommendations.map(({ id, type, year, title, posterUrl }) => {
    return { id, type, year, name: title, poster_url: posterUrl }
  })
  return [
    row('continue-watching', texts.continueWatching, begun, true),
    row(
      'next-up',
      texts.nextUp,
      home.next_up.map((item) => withoutTitle(item)),
      true,
    ),
    row('continue-listening', texts.continueListening, listening, true),
    row('continue-reading', texts.continueReading, reading, true),
    ...home.recently_added.map(({ library, items }) => ({
      ...row(`added-${library.id}`, texts.recentlyAdded(library.name), items, false),
      library,
    })),
    row('favorites', texts.favorites, home.favorites, false),
    row('recommendations', texts.recommendations, suggestions, false),
  ].filter(({ items }) => items.length > 0)
}

type StartedBook = { id: string; name: string; year: number | null; cover_url: string | null; progress_percent: number }

function bookCard(
  { id, name, year, cover_url: cover, progress_percent: percent }: StartedBook,
  type: string,
): CardItem {
  return { id, name, type, year, poster_url: cover, progress_percent: percent }
}

function withoutTitle(item: CardItem): CardItem {
  return { ...item, episode_title: null }
}

function row(key: string, title: string, items: readonly CardItem[], isPlayed: boolean): HomeRow {
  return { key, title, items, isPlayed }
}
