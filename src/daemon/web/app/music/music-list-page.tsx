import { useMemo } from 'preact/hooks'
import { PageFrame } from '../frame/page-frame.tsx'
import { Grid } from '../grid/grid.tsx'
import { digits, texts } from '../messages/language.ts'
import { PlaceLink } from '../places/place-link.tsx'
import { useSpot } from '../places/use-spot.ts'
import { albumRows, artistRows } from './music-rows.ts'

const LISTS = ['albums', 'artists'] as const

type Props = { list: (typeof LISTS)[number]; entry: number; version: number }

/** All albums or all artists, as a grid of square pictures. */
export function MusicListPage({ list, entry, version }: Props) {
  const pages = useMemo(() => (list === 'albums' ? albumRows('') : artistRows()), [list, version])
  // Drawn again when rows arrive.
  const { value: isAsked } = pages.version
  const total = pages.total()
  if (isAsked === 0) pages.want(0, 1)
  useSpot(entry, total !== undefined)
  return (
    <PageFrame
      title={texts.kinds[list]}
      count={total === undefined || total === 0 ? '' : digits(total)}
      reply={{ data: total, problem: pages.problem(), isLoading: total === undefined }}
      empty={total === 0 ? texts.noMusicYet : ''}
      controls={
        <nav class="controls" aria-label={texts.music}>
          {LISTS.map((one) => (
            <PlaceLink key={one} to={{ page: one }} class="quiet-link" current={one === list}>
              {texts.kinds[one]}
            </PlaceLink>
          ))}
        </nav>
      }
    >
      {total !== undefined && <Grid key={list} pages={pages} total={total} isSquare />}
    </PageFrame>
  )
}
