import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const SONGS_PER_ALBUM = 10

const FORMATS: readonly { extension: string; codec: readonly string[] }[] = [
  { extension: 'mp3', codec: ['-c:a', 'libmp3lame', '-b:a', '128k'] },
  { extension: 'flac', codec: ['-c:a', 'flac'] },
]

/**
 * Creates albums of ten tagged songs of four seconds, alternately MP3 and FLAC. Each album has a `cover.jpg`, which every second pair of albums
 * also embeds in the songs. One call of ffmpeg writes an album. Returns the folder of the music.
 */
export function makeSongTree(folder: string, albumCount: number): string {
  const music = join(folder, 'music')
  const sources = FORMATS.map(({ extension, codec }) => makeSong(folder, extension, codec))
  const cover = makeCover(folder)
  for (let album = 0; album < albumCount; album += 1) {
    const format = album % FORMATS.length
    const isEmbedded = Math.floor(album / FORMATS.length) % 2 === 1
    const place = join(music, `Artist ${album % 40}`, `Album ${album}`)
    mkdirSync(place, { recursive: true })
    copyFileSync(cover, join(place, 'cover.jpg'))
    const streams = isEmbedded ? ['-map', '0', '-map', '1', '-disposition:v', 'attached_pic'] : ['-map', '0']
    const outputs = Array.from({ length: SONGS_PER_ALBUM }, (_, index) => [
      ...streams,
      ...songOutput(place, { album, format, index }),
    ])
    execFileSync('ffmpeg', ['-v', 'error', '-i', sources[format] ?? '', '-i', cover, ...outputs.flat()])
  }
  return music
}

function songOutput(place: string, song: { album: number; format: number; index: number }): string[] {
  const number = song.index + 1
  const tags = [
    `title=Song ${number}`,
    `artist=Artist ${song.album % 40}`,
    `album=Album ${song.album}`,
    `track=${number}`,
    'date=2004',
    'genre=Rock',
  ]
  const name = `${number} - Song ${number}.${FORMATS[song.format]?.extension ?? ''}`
  return ['-c', 'copy', ...tags.flatMap((tag) => ['-metadata', tag]), join(place, name)]
}

function makeSong(folder: string, extension: string, codec: readonly string[]): string {
  const path = join(folder, `song.${extension}`)
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.1:d=4', ...codec, path])
  return path
}

/** 600 pixels square, some 100 KiB. */
function makeCover(folder: string): string {
  const path = join(folder, 'cover.jpg')
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=600x600:rate=1,noise=alls=20']
  execFileSync('ffmpeg', ['-v', 'error', ...input, '-frames:v', '1', '-q:v', '4', path])
  return path
}
