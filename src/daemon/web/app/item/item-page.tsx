import type { MediaDetail, MediaList } from '../api-types.d.ts'
import { CardRow } from '../cards/card-row.tsx'
import { factsOf, stateOf, titleOf } from '../cards/facts.ts'
import { withPlayed } from '../cards/own-progress.ts'
import { Poster } from '../cards/poster.tsx'
import { useReply } from '../data/use-reply.ts'
import { texts } from '../messages/language.ts'
import { PlaceLink } from '../places/place-link.tsx'
import { useSpot } from '../places/use-spot.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import type { Detail } from './detail.ts'
import { ItemActions } from './item-actions.tsx'

const FOLDERS: ReadonlySet<string> = new Set(['series', 'season'])

/** The largest page that the server sends; a longer season continues in the list of its library. */
const MAX_CHILDREN = 100

type Props = { id: string; entry: number; version: number }

/** A film, a series with its seasons, or a season with its episodes. */
export function ItemPage({ id, entry, version }: Props) {
  const address = `/api/v1/media/${encodeURIComponent(id)}`
  const reply = useReply<MediaDetail>(address, version)
  const item = reply.data?.item
  useSpot(entry, item !== undefined)
  return (
    <PageFrame title={item === undefined ? '' : headingOf(item)} hasBack reply={reply} empty="">
      {item !== undefined && (
        <>
          <Description item={item} address={address} />
          {FOLDERS.has(item.type) && <Children item={item} version={version} />}
        </>
      )}
    </PageFrame>
  )
}

/** A season is named after its series too. */
function headingOf(item: Detail): string {
  const title = titleOf(item)
  return item.type === 'season' && item.series_name !== null ? `${item.series_name} · ${title}` : title
}

function Description({ item, address }: { item: Detail; address: string }) {
  const { overview, genres, tagline, rating, director, cast, series_id: seriesId, series_name: series } = item
  const facts = [factsOf(item, texts), rating, ...genres].filter((fact) => fact !== null && fact !== '')
  return (
    <div class="item">
      <Poster
        title={titleOf(item)}
        url={item.poster_url}
        srcset={item.poster_srcset}
        sizes="(max-width: 480px) 40vw, 260px"
      />
      <div class="item-text">
        <p class="facts" id="item-facts">
          {facts.join(' · ')}
        </p>
        {seriesId !== null && series !== null && (
          <PlaceLink to={{ page: 'item', id: seriesId }} class="quiet-link">
            {texts.seriesOf(series)}
          </PlaceLink>
        )}
        <p class="facts" id="item-state" role="status">
          {stateOf(withPlayed(item), texts)}
        </p>
        <ItemActions item={item} address={address} />
        {tagline !== null && (
          <p class="tagline" dir="auto">
            {tagline}
          </p>
        )}
        {overview !== null && (
          <p class="overview" dir="auto">
            {overview}
          </p>
        )}
        <dl class="people">
          {director !== null && <People term={texts.director} names={[director]} />}
          {cast.length > 0 && <People term={texts.cast} names={cast.slice(0, 12).map(({ name }) => name)} />}
        </dl>
      </div>
    </div>
  )
}

function People({ term, names }: { term: string; names: readonly string[] }) {
  return (
    <>
      <dt>{term}</dt>
      <dd dir="auto">{names.join(', ')}</dd>
    </>
  )
}

/** Seasons of a series, episodes of a season. */
function Children({ item, version }: { item: Detail; version: number }) {
  const query = new URLSearchParams({ parentId: item.id, include: 'user_data', limit: String(MAX_CHILDREN) })
  const { data } = useReply<MediaList>(`/api/v1/media?${query}`, version)
  if (data === undefined) return null
  if (data.items.length === 0)
    return (
      <p class="empty" id="empty">
        {texts.nothingInside}
      </p>
    )
  const title = data.items.some(({ type }) => type === 'season') ? texts.seasons : texts.episodes
  return (
    <div id="list">
      <CardRow title={title} items={data.items} wraps />
    </div>
  )
}
