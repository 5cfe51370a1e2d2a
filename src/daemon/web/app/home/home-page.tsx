import type { Home } from '../api-types.d.ts'
import { CardRow } from '../cards/card-row.tsx'
import { useReply } from '../data/use-reply.ts'
import { texts } from '../messages/language.ts'
import { listOf } from '../places/place.ts'
import { PlaceLink } from '../places/place-link.tsx'
import { useSpot } from '../places/use-spot.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import { homeRows } from './home-rows.ts'

const ADDRESS = '/api/v1/me/home?limit=24'

/** The start page: what can be continued, what is new in each library, favourites and suggestions. */
export function HomePage({ entry, version }: { entry: number; version: number }) {
  const reply = useReply<Home>(ADDRESS, version)
  const rows = reply.data === undefined ? [] : homeRows(reply.data, texts)
  useSpot(entry, reply.data !== undefined)
  return (
    <PageFrame title={texts.home} reply={reply} empty={rows.length === 0 ? texts.nothingYet : ''}>
      {rows.map(({ key, title, items, isPlayed, library }) => (
        <CardRow
          key={key}
          title={title}
          items={items}
          isPlayed={isPlayed}
          more={
            library !== undefined && (
              <PlaceLink to={listOf(library.id)} class="quiet-link">
                {texts.showAll(library.name)}
              </PlaceLink>
            )
          }
        />
      ))}
    </PageFrame>
  )
}
