import t from 'tap'
import { chooseCover, toMusicTrack } from '../../../../src/core/scanning/media-kinds/music-track.ts'
import { musicKind } from '../../../../src/core/scanning/media-kinds/music.ts'

void t.test('only audio files are tracks, and names contribute their facts', (t) => {
  const { files, companions } = musicKind.planFolder({
    pathInsideRoot: 'Ada/Notes',
    names: ['01 - Fugue.mp3', 'cover.jpg'],
  })
  t.strictSame([...files.keys()], ['01 - Fugue.mp3'])
  t.strictSame(companions, [], 'covers are stored by folder, not by track')
  const planned = files.get('01 - Fugue.mp3')
  if (planned === undefined) return t.fail('not planned')
  t.match(planned, { as: 'audio', role: null, groups: [], identification: { type: 'audio', name: 'Fugue' } })
  t.strictSame(toMusicTrack(planned, { facts: null, local: [] }, 'Ada/Notes'), {
    artist: 'Ada',
    guessedArtist: null,
    albumArtist: { name: 'Ada', sortName: 'Ada' },
    album: { name: 'Notes', sortName: 'Notes', releaseId: null },
    discNumber: null,
    trackNumber: 1,
    year: null,
    isInDiscFolder: false,
    pictureHash: null,
  })
  return t.end()
})

void t.test('a hidden track before the first is number 0; discs have no number 0', (t) => {
  const numbersOf = (name: string): (number | null)[] => {
    const planned = musicKind.planFolder({ pathInsideRoot: 'Ada/Notes', names: [name] }).files.get(name)
    if (planned === undefined) throw new Error(`${name} is not planned`)
    const { discNumber, trackNumber } = toMusicTrack(planned, { facts: null, local: [] }, 'Ada/Notes')
    return [discNumber, trackNumber]
  }
  t.strictSame(numbersOf('00. Ada - Hidden.flac'), [null, 0])
  t.strictSame(numbersOf('2-00 Hidden.flac'), [2, 0])
  t.strictSame(numbersOf('0-05 Fugue.flac'), [null, 5])
  t.end()
})

void t.test('the cover of a folder is chosen by its name', (t) => {
  t.equal(chooseCover(['back.jpg', 'Folder.JPG', 'COVER.png', 'front.webp']), 'COVER.png')
  t.equal(chooseCover(['folder.tif', 'AlbumArtSmall.jpg', 'albumart.jpg']), 'albumart.jpg')
  t.equal(chooseCover(['holiday.jpg', 'cover.jpg.txt']), undefined)
  t.end()
})
