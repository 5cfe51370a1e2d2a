import type { MediaItemDetail } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { uniqueLabel } from '../tracks/index.ts'
import { isTextTrack, formatTrackLabel, listAllTracks } from './list-tracks.ts'
import type { SubtitleTrack } from './subtitle-track.ts'

/** Bitmap subtitle codecs that ffmpeg can burn in, with their common names. */
const BITMAP_CODECS: ReadonlyMap<string, string> = new Map([
  ['hdmv_pgs_subtitle', 'PGS'],
  ['dvd_subtitle', 'VobSub'],
  ['dvb_subtitle', 'DVB'],
  ['xsub', 'DivX'],
])

/** Why a track is not available as text: `pictures` is a bitmap format, `unknown_form` an unsupported format. */
export type OtherTrackReason = 'pictures' | 'unknown_form'

/** A subtitle track that cannot be converted to text. */
export type OtherSubtitleTrack = SubtitleTrack &
  Readonly<{
    reason: OtherTrackReason
    /** The reason as text for people. */
    message: string
    /** Whether a streaming job can burn it into the video. */
    canBeBurnedIn: boolean
  }>

/** Returns the subtitles of an item that `listSubtitleTracks` omits, with the reason. Both share one numbering. */
export async function listOtherTracks(
  services: { db: Connection },
  item: Pick<MediaItemDetail, 'id' | 'streams'>,
): Promise<OtherSubtitleTrack[]> {
  const labels = new Set<string>()
  const others = (await listAllTracks(services, item)).filter((track) => !isTextTrack(track))
  return others.map((track) =>
    Object.assign({}, track, { label: uniqueLabel(formatTrackLabel(track), labels), ...unavailability(track) }),
  )
}

function unavailability({
  codec,
  source,
}: Pick<SubtitleTrack, 'codec' | 'source'>): Pick<OtherSubtitleTrack, 'reason' | 'message' | 'canBeBurnedIn'> {
  const format = BITMAP_CODECS.get(codec)
  if (source === 'external' || format === undefined) {
    const message = `subtitles in the format ${codec} are not supported`
    return { reason: 'unknown_form', message, canBeBurnedIn: false }
  }
  const message = `these subtitles are images (${format}), not text; a stream can be started with the subtitles burned into its video`
  return { reason: 'pictures', message, canBeBurnedIn: true }
}
