import type { Marker, MarkerType } from '../film/marker.ts'

/** A chapter with its title in the file. */
export type TitledChapter = Readonly<{ startSeconds: number; endSeconds: number; title: string | null }>

/** The names that a whole chapter title must equal, in the normal form that `extractTitle` returns. */
const NAMES: Readonly<Record<MarkerType, RegExp>> = {
  intro:
    /^(?:op|ncop|opening(?: (?:credits|theme|song|titles?|sequence))?|intro(?:duction)?|title sequence|(?:main )?titles?|theme song|vorspann|generique(?: de debut)?|cabecera|sigla(?: iniziale)?|abertura|オープニング)$/,
  outro:
    /^(?:ed|nced|ending(?: (?:credits|theme|song))?|outro|(?:(?:end|closing|final) )?credits|end titles?|closing|abspann|generique de fin|creditos(?: finales| finais)?|titoli di coda|sigla finale|aftiteling|encerramento|エンディング)$/,
  recap:
    /^(?:recap|previously(?: on .{1,80})?|last time(?: on .{1,80})?|was bisher geschah|ruckblick|resume|riassunto)$/,
  preview: /^(?:(?:next (?:time|episode)|coming up)(?: on .{1,80})?|(?:next )?(?:episode )?preview|vorschau|次回予告)$/,
}

/** The length in seconds of a chapter that can be such a part. A longer `Introduction` is a chapter of the story. */
const LENGTHS: Readonly<Record<MarkerType, { min: number; max: number }>> = {
  intro: { min: 10, max: 180 },
  recap: { min: 5, max: 300 },
  preview: { min: 5, max: 180 },
  outro: { min: 10, max: Number.POSITIVE_INFINITY },
}

/** A damaged container may say that a chapter ends after years. */
const MAX_CHAPTER_SECONDS = 24 * 3600

/** A person has named the chapters, but may have placed them at the nearest key frame. */
const CONFIDENCE = 0.9

/**
 * The parts of a film that its chapters name, at most one of each type: the first intro and recap, the last outro and preview. Names in
 * English, German, French, Spanish, Portuguese, Italian, Dutch and Japanese are known. Pure.
 */
export function markersFromChapters(chapters: readonly TitledChapter[]): Marker[] {
  const markers = chapters.flatMap((chapter): Marker[] => {
    const type = typeOf(chapter)
    if (type === undefined) return []
    const startMilliseconds = Math.round(chapter.startSeconds * 1000)
    const endMilliseconds = Math.round(Math.min(chapter.endSeconds, MAX_CHAPTER_SECONDS) * 1000)
    if (endMilliseconds <= startMilliseconds) return []
    return [{ type, startMilliseconds, endMilliseconds, source: 'chapters', confidence: CONFIDENCE }]
  })
  const first = (type: MarkerType): Marker[] => markers.filter((marker) => marker.type === type).slice(0, 1)
  const last = (type: MarkerType): Marker[] => markers.filter((marker) => marker.type === type).slice(-1)
  return [...first('intro'), ...first('recap'), ...last('preview'), ...last('outro')]
}

function typeOf({ title, startSeconds, endSeconds }: TitledChapter): MarkerType | undefined {
  if (title === null) return undefined
  const plain = plainTitle(title)
  const seconds = endSeconds - startSeconds
  return (['intro', 'outro', 'recap', 'preview'] as const).find(
    (type) => NAMES[type].test(plain) && seconds >= LENGTHS[type].min && seconds <= LENGTHS[type].max,
  )
}

/** Lower case without Latin accents, numbering and punctuation at the ends: `03 - Générique de fin.` is `generique de fin`. */
function plainTitle(title: string): string {
  return title
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/^(?:chapter )?\d{0,3}[^\p{L}\p{N}]*/u, '')
    .replace(/[^\p{L}\p{N}]+$/u, '')
    .replace(/\s+/g, ' ')
}
