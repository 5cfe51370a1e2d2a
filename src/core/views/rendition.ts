import type { VideoRendition } from '../streaming/index.ts'

/** A video rendition of a stream, without a URL. Bit rates are bits per second. */
export function renditionView(rendition: VideoRendition) {
  return {
    id: rendition.id,
    label: rendition.label,
    width: rendition.width,
    height: rendition.height,
    bitrate: rendition.bitrate,
    video_bitrate: rendition.videoBitrate,
    codecs: rendition.codecs,
    is_original: rendition.isOriginal,
    is_copy: rendition.isCopy,
  }
}
