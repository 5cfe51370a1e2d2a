import type { ArtworkAddress, ArtworkAddresses } from '../../../core/artwork/index.ts'
import type { ItemFile, ListedItem, MediaItem, MediaItemDetail } from '../../../core/catalogue/index.ts'
import type { ViewerData } from '../../../core/playback/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import type { UserData } from '../../../core/user-items/index.ts'
import {
  metadataExternalIds,
  itemFileView,
  itemRowView,
  metadataCompanyNames,
  metadataPeople,
  streamView,
  metadataText,
  metadataTexts,
  metadataWebAddress,
} from '../../../core/views/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'

/** Pictures of an item and of its ancestors, the nearest ancestor first. */
export type Pictures = { own: ArtworkAddresses; above: readonly ArtworkAddresses[] }

/** The signed resource of an item's file; it is also its URL path. */
export function streamResource(itemId: string): string {
  return `/media/${itemId}/stream`
}

/** The pictures in a list row. */
export type RowPictures = { poster: ArtworkAddress | undefined; backdrop: ArtworkAddress | undefined }

export function choosePictures(item: ListedItem, pictures: Pictures): RowPictures {
  return { poster: posterOf(item, pictures), backdrop: backdropOf(pictures) }
}

/** A list row for administrators. */
export function mediaRowView(item: ListedItem, { poster, backdrop }: RowPictures) {
  return {
    ...itemRowView(item),
    poster_url: poster?.url ?? null,
    poster_srcset: poster?.srcset ?? null,
    backdrop_url: backdrop?.url ?? null,
    backdrop_srcset: backdrop?.srcset ?? null,
  }
}

/** An immutable list row. */
export type MediaRow = Readonly<ReturnType<typeof mediaRowView>>

/** An episode without a poster shows the poster of its season or series; a still has another aspect ratio. */
function posterOf({ type }: ListedItem, { own, above }: Pictures): ArtworkAddress | undefined {
  const inherited = above.find(({ poster }) => poster !== undefined)?.poster
  if (type === 'episode') return own.poster ?? inherited ?? own.still
  return own.poster ?? own.cover ?? inherited ?? own.still
}

function backdropOf({ own, above }: Pictures): ArtworkAddress | undefined {
  return own.backdrop ?? own.still ?? above.find(({ backdrop }) => backdrop !== undefined)?.backdrop
}

type Detail = {
  item: MediaItemDetail
  /** Set for episodes and seasons. */
  series: Pick<ListedItem, 'id' | 'name'> | undefined
  pictures: Pictures
  userData: UserData
  /** Null if the user may not see them. */
  files: readonly ItemFile[] | null
  showPath: FormatPath
}

/** An item with all data that a player needs, at the top level and again under `item`. */
export function mediaDetailView({ item, series, pictures, userData, files, showPath }: Detail, signer: UrlSigner) {
  const full = {
    ...mediaRowView(item, choosePictures(item, pictures)),
    path: item.path === null ? null : showPath(item.path),
    series_id: series?.id ?? null,
    series_name: series?.name ?? null,
    series_title: series?.name ?? null,
    ...providerView(item, pictures),
    container: item.container,
    bitrate: item.bitrate,
    probe_error: item.probeError,
    stream_url: item.path === null ? null : signer.signUrl(streamResource(item.id)),
    streams: item.streams.map(streamView),
    // Shows the values of the match instead of the values from the file name. The latter stay stored in case the match is removed.
    metadata: {
      ...item.metadata,
      title: item.name,
      year: item.year,
      summary: metadataText(item.metadata, 'overview'),
    },
    ...(files === null ? {} : { files: files.map(fileView) }),
    user_data: userDataView(userData),
  }
  return { ...full, item: full }
}

/** Facts of providers and NFO files that only the detail contains. */
function providerView({ metadata }: MediaItem, pictures: Pictures) {
  const cast = metadataPeople(metadata, 'cast', 'role')
  const companies = metadataCompanyNames(metadata, 'production_companies')
  const backdrop = backdropOf(pictures)
  return {
    original_title: metadataText(metadata, 'original_title'),
    tagline: metadataText(metadata, 'tagline'),
    release_date: metadataText(metadata, 'release_date'),
    vote_average: numberOf(metadata, 'vote_average'),
    vote_count: numberOf(metadata, 'vote_count'),
    cast:
      cast.length > 0
        ? cast
        : metadataTexts(metadata, 'actors').map((name) => ({ name, role: null, profile_url: null })),
    crew: metadataPeople(metadata, 'crew', 'job'),
    tags: metadataTexts(metadata, 'tags'),
    production_companies: companies,
    studio: metadataText(metadata, 'studio') ?? companies[0]?.name ?? null,
    backdrop_url_large: backdrop === undefined ? null : widestOf(backdrop),
    logo_url: (pictures.own.logo ?? pictures.above.find(({ logo }) => logo !== undefined)?.logo)?.url ?? null,
    theme_audio_url: null,
    trailer_url: metadataWebAddress(metadata['trailer_url']),
    trailer_key: metadataText(metadata, 'trailer_key'),
    trailer_site: metadataText(metadata, 'trailer_site'),
    external_ids: metadataExternalIds(metadata),
  }
}

/** The last candidate of a `srcset` is the widest. */
function widestOf({ url, srcset }: ArtworkAddress): string {
  return srcset.split(', ').at(-1)?.split(' ')[0] ?? url
}

function numberOf(metadata: MediaItem['metadata'], key: string): number | null {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : null
  return typeof value === 'number' ? value : null
}

function fileView(file: ItemFile) {
  const { path, size_bytes, container, codec, resolution } = itemFileView(file)
  return { path, size_bytes, container, codec, resolution }
}

/** The user's own data of an item, with its position, as rows of lists have them. */
export function viewerDataView(data: ViewerData) {
  return {
    ...userDataView(data),
    position_ticks: data.positionTicks,
    duration_ticks: data.durationTicks,
    progress_percent: Math.round(data.progress * 10_000) / 100,
    unwatched_episodes: data.unwatchedEpisodes,
  }
}

/** The user's own data of an item. */
export function userDataView({ isFavourite, rating, likeLevel, isWatched }: UserData) {
  return { favorite: isFavourite, rating, like_level: likeLevel, watched: isWatched }
}
