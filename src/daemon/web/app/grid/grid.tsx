import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { MediaCard } from '../cards/media-card.tsx'
import { indexAfterKey, scrollHeightOf } from './grid-window.ts'
import type { RowPages } from './row-pages.ts'
import { useWindow } from './use-window.ts'

type Props = {
  pages: RowPages
  total: number
  /** The card to scroll to; a new object scrolls again. */
  jump?: { index: number } | undefined
  /** Whether pictures are square. */
  isSquare?: boolean
}

/**
 * A list of any length, of which only the visible cards are in the document. The window scrolls, not the list. One card takes part in the Tab
 * order; arrows, Home, End and Page lead from card to card.
 */
export function Grid({ pages, total, jump, isSquare = false }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  // Drawn again when rows arrive. A component of which no property has changed is not drawn again by the one around it.
  void pages.version.value
  const { layout, gap, drawn, reveal, scrollToRow } = useWindow(frame, total, isSquare)
  const [activeIndex, setActiveIndex] = useState(0)
  const waitingFocus = useRef<number>(undefined)
  const { firstIndex, endIndex, blockTop } = drawn

  useEffect(() => pages.want(firstIndex, endIndex), [pages, firstIndex, endIndex])
  useLayoutEffect(() => {
    if (jump !== undefined) scrollToRow(jump.index)
  }, [jump])
  // The card may be drawn only after the key, and its row may arrive later still: its placeholder keeps the focus in the list.
  useLayoutEffect(() => {
    if (waitingFocus.current === undefined) return
    const card = frame.current?.querySelector<HTMLElement>(`[data-index="${waitingFocus.current}"] .film`)
    if (card === null || card === undefined) return
    card.focus({ preventScroll: true })
    if (!card.classList.contains('is-loading')) waitingFocus.current = undefined
  })

  function onKeyDown(event: KeyboardEvent): void {
    const from = indexOf(event.target)
    if (from === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const rowsInView = Math.floor(innerHeight / layout.rowHeight)
    const target = indexAfterKey(event.key, from, { columns: layout.columns, count: total, rowsInView })
    if (target === undefined) return
    event.preventDefault()
    waitingFocus.current = target
    setActiveIndex(target)
    reveal(target)
  }

  const indexes = Array.from({ length: Math.max(0, endIndex - firstIndex) }, (_, offset) => firstIndex + offset)
  const tabIndex = indexes.includes(activeIndex) ? activeIndex : firstIndex
  return (
    <div
      class={isSquare ? 'long-list squares' : 'long-list'}
      ref={frame}
      style={{ height: `${scrollHeightOf(layout)}px` }}
    >
      <ul
        class="cards"
        id="list"
        style={{
          transform: `translateY(${blockTop}px)`,
          gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`,
          gridAutoRows: `${layout.rowHeight - gap}px`,
          gap: `${gap}px`,
        }}
        onKeyDown={onKeyDown}
        onFocusIn={({ target }) => setActiveIndex((before) => indexOf(target) ?? before)}
      >
        {indexes.map((index) => (
          <MediaCard
            key={index}
            item={pages.rowAt(index)}
            siblings={pages.known}
            place={{ index, total }}
            isTabStop={index === tabIndex}
          />
        ))}
      </ul>
    </div>
  )
}

function indexOf(target: EventTarget | null): number | undefined {
  const entry = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return entry === null ? undefined : Number(entry.dataset['index'])
}
