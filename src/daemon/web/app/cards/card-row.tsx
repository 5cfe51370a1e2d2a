import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { CardItem } from './facts.ts'
import { MediaCard } from './media-card.tsx'

type Props = {
  title: string
  items: readonly CardItem[]
  /** Beside the title. */
  more?: ComponentChildren
  /** Whether a card plays its item at once. */
  isPlayed?: boolean
  /** Whether the cards wrap into several lines instead of scrolling sideways. */
  wraps?: boolean
}

/** A heading and some cards; nothing without cards. */
export function CardRow({ title, items, more, isPlayed = false, wraps = false }: Props) {
  const id = useId()
  if (items.length === 0) return null
  return (
    <section class="card-row" aria-labelledby={id}>
      <div class="row-head">
        <h3 id={id} dir="auto">
          {title}
        </h3>
        {more}
      </div>
      <ul class={wraps ? 'cards wrapped' : 'cards sideways'}>
        {items.map((item) => (
          <MediaCard key={item.id} item={item} siblings={() => items} isPlayed={isPlayed} />
        ))}
      </ul>
    </section>
  )
}
