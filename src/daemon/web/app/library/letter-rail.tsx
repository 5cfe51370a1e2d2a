import type { LetterIndex } from '../api-types.d.ts'
import { useReply } from '../data/use-reply.ts'
import { texts } from '../messages/language.ts'

type Props = { query: string; onJump: (offset: number) => void }

/** The letters with which the names of a list begin; each leads to its first title. */
export function LetterRail({ query, onJump }: Props) {
  const { data } = useReply<LetterIndex>(`/api/v1/media/letter-index?${query}`)
  const letters = data?.letters ?? []
  if (letters.length < 2) return null
  return (
    <nav class="letters" aria-label={texts.letters}>
      {letters.map(({ letter, offset }) => (
        <button key={letter} class="letter" type="button" onClick={() => onJump(offset)}>
          {letter}
        </button>
      ))}
    </nav>
  )
}
