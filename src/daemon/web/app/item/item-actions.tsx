import { useRef, useState } from 'preact/hooks'
import { openItem } from '../cards/open-item.ts'
import { useDecoration } from '../cards/use-decoration.ts'
import { change, reload } from '../data/replies.ts'
import { forgetLists } from '../grid/kept-pages.ts'
import { texts } from '../messages/language.ts'
import type { Detail } from './detail.ts'

const PLAYED: ReadonlySet<string> = new Set(['movie', 'video', 'episode'])

/** Play, favourite and watched. */
export function ItemActions({ item, address }: { item: Detail; address: string }) {
  const [problem, setProblem] = useState('')
  const buttons = useRef<HTMLDivElement>(null)
  useDecoration(buttons, item)
  const { favorite, watched } = item.user_data
  async function act(path: string, method: 'POST' | 'DELETE'): Promise<void> {
    try {
      setProblem('')
      await change(`${address}/${path}`, method)
      forgetLists()
      await reload(address)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <div class="item-actions" ref={buttons}>
        {PLAYED.has(item.type) && (
          <button class="primary" id="play" type="button" onClick={() => openItem(item, [item])}>
            {texts.play}
          </button>
        )}
        <button
          class="quiet"
          type="button"
          aria-pressed={favorite}
          onClick={() => void act('favorite', favorite ? 'DELETE' : 'POST')}
        >
          {favorite ? texts.removeFavorite : texts.addFavorite}
        </button>
        <button
          class="quiet"
          type="button"
          aria-pressed={watched}
          onClick={() => void act(watched ? 'unwatched' : 'watched', 'POST')}
        >
          {watched ? texts.markUnwatched : texts.markWatched}
        </button>
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  )
}
