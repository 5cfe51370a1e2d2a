import { useMemo, useState } from 'preact/hooks'
import type { Libraries } from '../api-types.d.ts'
import { useReply } from '../data/use-reply.ts'
import { Grid } from '../grid/grid.tsx'
import { keptPages } from '../grid/kept-pages.ts'
import { digits, texts } from '../messages/language.ts'
import type { ListPlace } from '../places/place.ts'
import { useSpot } from '../places/use-spot.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import { LetterRail } from './letter-rail.tsx'
import { ListControls } from './list-controls.tsx'
import { filtersOf, rowsQuery } from './list-query.ts'

type Props = { place: ListPlace; entry: number; version: number }

/** A library, all titles, or all results of one kind, as a grid of posters. */
export function ListPage({ place, entry, version }: Props) {
  const { data } = useReply<Libraries>('/api/v1/libraries')
  const query = rowsQuery(place)
  const pages = useMemo(() => keptPages(query), [query, version])
  const [jump, setJump] = useState<{ index: number }>()
  // Drawn again when rows arrive.
  const { value: isAsked } = pages.version
  const total = pages.total()
  if (isAsked === 0) pages.want(0, 1)
  useSpot(entry, total !== undefined)

  const library = data?.libraries.find(({ id }) => id === place.library)
  const title = titleOf(place, library?.name)
  const reply = { data: total, problem: pages.problem(), isLoading: total === undefined }
  const hasLetters = place.sort === 'name' && !place.isDescending && place.words === ''
  return (
    <PageFrame
      title={title}
      count={total === undefined || total === 0 ? '' : texts.titles(total, digits(total))}
      reply={reply}
      empty={total === 0 ? emptyText(place) : ''}
      controls={<ListControls place={place} />}
    >
      {total !== undefined && (
        <div class="list-body">
          <Grid key={query} pages={pages} total={total} jump={jump} />
          {hasLetters && <LetterRail query={String(filtersOf(place))} onJump={(index) => setJump({ index })} />}
        </div>
      )}
    </PageFrame>
  )
}

function titleOf({ library, words, kind }: ListPlace, name: string | undefined): string {
  if (words !== '') return kind === '' ? texts.searchFor(words) : `${texts.kinds[kind]}: ${texts.searchFor(words)}`
  return library === '' ? texts.allTitles : (name ?? '')
}

function emptyText({ words, genre }: ListPlace): string {
  if (words !== '') return texts.nothingCalled(words)
  return genre === '' ? texts.nothingYet : texts.nothingWithFilter
}
