import type { ByteSpan } from '../grid-file.ts'

/** A picture of a set. `index` counts from zero through all grids. */
export type IndexedPicture = ByteSpan & Readonly<{ index: number; seconds: number }>

/** Writes `index.xml`: the time of each picture and its bytes in the file of its grid. Numbers only, so that nothing needs escaping. */
export function writeIndexXml(pictures: readonly IndexedPicture[]): string {
  const lines = pictures.map(
    ({ index, seconds, offsetBytes, lengthBytes }) =>
      `    <Thumb index="${index}" time="${seconds}" offset="${offsetBytes}" length="${lengthBytes}"/>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ThumbList>\n  <Thumbs>\n${lines.join('')}  </Thumbs>\n</ThumbList>\n`
}

const THUMB = /^ {4}<Thumb index="(\d{1,7})" time="(\d{1,8})" offset="(\d{1,10})" length="(\d{1,10})"\/>$/
const END = '  </Thumbs>\n</ThumbList>\n'

/** Reads what `writeIndexXml` has written; undefined for an incomplete or different file. */
export function readIndexXml(text: string): IndexedPicture[] | undefined {
  if (!text.endsWith(END)) return undefined
  const pictures: IndexedPicture[] = []
  for (const line of text.slice(0, -END.length).split('\n').slice(3, -1)) {
    const [index, seconds, offsetBytes, lengthBytes] = THUMB.exec(line)?.slice(1).map(Number) ?? []
    if (index !== pictures.length || seconds === undefined || offsetBytes === undefined || lengthBytes === undefined) {
      return undefined
    }
    pictures.push({ index, seconds, offsetBytes, lengthBytes })
  }
  return pictures
}
