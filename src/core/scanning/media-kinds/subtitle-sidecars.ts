import { parseSubtitleName } from '../../naming/index.ts'
import { normalizeStem, findLongestStemPrefix, fileStem } from './file-stem.ts'
import type { CompanionFile } from './media-kind.ts'

/**
 * Returns the subtitle files of a folder with their videos: the video with the longest matching name. Files without a video are omitted.
 * @param files videos by their folded stems
 */
export function companionSubtitles(names: readonly string[], files: ReadonlyMap<string, string>): CompanionFile[] {
  return names.flatMap((name) => {
    const video = findLongestStemPrefix(normalizeStem(fileStem(name)), files)
    const parsed = video === undefined ? undefined : parseSubtitleName(name, fileStem(video))
    if (video === undefined || parsed === undefined) return []
    const { language, title, isDefault, isForced, isHearingImpaired, format } = parsed
    const details = {
      language,
      title,
      default: isDefault,
      forced: isForced,
      hearing_impaired: isHearingImpaired,
      format,
    }
    return [{ name, kind: 'subtitle' as const, of: video, details }]
  })
}
