import type { MediaItemDetail } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { uniqueLabel } from '../tracks/index.ts'
import { isTextTrack, labelOf, listAllTracks } from './list-tracks.ts'
import type { SubtitleTrack } from './subtitle-track.ts'

/** Codecs whose subtitles are pictures that ffmpeg can draw into the film, and what people call them. */
const PICTURE_CODECS: ReadonlyMap<string, string> = new Map([
  ['hdmv_pgs_subtitle', 'PGS'],
  ['dvd_subtitle', 'VobSub'],
  ['dvb_subtitle', 'DVB'],
  ['xsub', 'DivX'],
])

/** Why a track is not among the texts: it consists of pictures, or its form is not read. */
export type OtherTrackReason = 'pictures' | 'unknown_form'

/** Subtitles that no text can be made of. */
export type OtherSubtitleTrack = SubtitleTrack &
  Readonly<{
    reason: OtherTrackReason
    /** The same for people. */
    message: string
    /** A job of streaming can draw it into the picture. */
    canBeDrawn: boolean
  }>

/** The subtitles of an item that `listSubtitleTracks` leaves out, with the reason; numbers are of the same row. */
export async function listOtherTracks(
  services: { db: Connection },
  item: Pick<MediaItemDetail, 'id' | 'streams'>,
): Promise<OtherSubtitleTrack[]> {
  const labels = new Set<string>()
  const others = (await listAllTracks(services, item)).filter((track) => !isTextTrack(track))
  return others.map((track) =>
    Object.assign({}, track, { label: uniqueLabel(labelOf(track), labels), ...judge(track) }),
  )
}

function judge({
  codec,
  source,
}: Pick<SubtitleTrack, 'codec' | 'source'>): Pick<OtherSubtitleTrack, 'reason' | 'message' | 'canBeDrawn'> {
  const form = PICTURE_CODECS.get(codec)
  if (source === 'external' || form === undefined) {
    const message = `subtitles of the form ${codec} are not read`
    return { reason: 'unknown_form', message, canBeDrawn: false }
  }
  const message = `these subtitles are pictures (${form}), not text; a stream can be started with them drawn into the film`
  return { reason: 'pictures', message, canBeDrawn: true }
}
