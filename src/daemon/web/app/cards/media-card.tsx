import { useRef } from 'preact/hooks'
import { texts } from '../messages/language.ts'
import { PlaceLink } from '../places/place-link.tsx'
import { factsOf, progressOf, stateOf, titleOf, type CardItem } from './facts.ts'
import { openItem, pageOf } from './open-item.ts'
import { withPlayed } from './own-progress.ts'
import { Poster } from './poster.tsx'
import { useDecoration } from './use-decoration.ts'

/** About the width of a card. */
const SIZES = '(max-width: 480px) 45vw, 200px'

type Props = {
  /** undefined while its row is loading */
  item: CardItem | undefined
  /** The rows beside it. */
  siblings: () => readonly CardItem[]
  /** Whether it is played at once, although it has a page. */
  isPlayed?: boolean
  /** Its place in a list of which not all is in the document. */
  place?: { index: number; total: number }
  isTabStop?: boolean
}

/** One item in a list: a single link or button, whose name is its title, facts and state. */
export function MediaCard({ item, siblings, isPlayed = false, place, isTabStop = true }: Props) {
  const entry = useRef<HTMLLIElement>(null)
  useDecoration(entry, item)
  const page = item === undefined || isPlayed ? undefined : pageOf(item)
  const position =
    place === undefined
      ? {}
      : { 'data-index': place.index, 'aria-posinset': place.index + 1, 'aria-setsize': place.total }
  return (
    <li class="entry" ref={entry} {...position}>
      {item === undefined ? (
        <span class="film is-loading" tabIndex={-1} />
      ) : page !== undefined ? (
        <PlaceLink to={page} class="film" id={item.id} isTabStop={isTabStop}>
          <Content item={item} />
        </PlaceLink>
      ) : (
        <button
          type="button"
          class="film"
          data-id={item.id}
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => openItem(item, siblings())}
        >
          <Content item={item} />
        </button>
      )}
    </li>
  )
}

function Content({ item: listed }: { item: CardItem }) {
  const item = withPlayed(listed)
  const title = titleOf(item)
  const percent = progressOf(item)
  const state = stateOf(item, texts)
  return (
    <>
      <Poster title={title} url={item.poster_url} srcset={item.poster_srcset ?? null} sizes={SIZES} />
      {percent > 0 && percent < 100 && <progress class="seen" max={100} value={percent} aria-hidden="true" />}
      <span class="title" dir="auto">
        {title}
      </span>
      <span class="facts">{[factsOf(item, texts), state].filter((part) => part !== '').join(' · ')}</span>
    </>
  )
}
