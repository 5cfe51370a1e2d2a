import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import { isoTimestampOrNull } from '../../../core/platform/time/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'
import { themeResource, type ThemeKind, type ThemeMedia } from '../../../core/theme-media/index.ts'

export function themeMediaView(
  { libraryId, audio, video, scannedAt }: ThemeMedia,
  { signer, showPath }: { signer: UrlSigner; showPath: FormatPath },
) {
  const urlOf = (kind: ThemeKind): string => signer.signUrl(themeResource({ libraryId, kind }))
  return {
    library_id: libraryId,
    audio:
      audio === null
        ? null
        : { path: showPath(audio.path), url: urlOf('audio'), duration: audio.durationSeconds, format: audio.format },
    video:
      video === null
        ? null
        : {
            path: showPath(video.path),
            url: urlOf('video'),
            duration: video.durationSeconds,
            width: video.width,
            height: video.height,
            format: video.format,
          },
    has_theme: audio !== null || video !== null,
    scanned_at: isoTimestampOrNull(scannedAt),
  }
}
