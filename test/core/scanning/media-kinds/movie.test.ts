import t from 'tap'
import { movieKind } from '../../../../src/core/scanning/media-kinds/movie.ts'

/** Plans the names of one folder: type, role and owner of each media file. */
const FOLDERS: [claim: string, pathInsideRoot: string, names: string[], planned: unknown[][]][] = [
  [
    'files with the name of the folder are versions, the plain one first',
    'Film (2001)',
    ['Film (2001) - 4K.mkv', 'Film (2001).mkv', 'Film (2001) [Final Cut].mkv'],
    [
      ['Film (2001) - 4K.mkv', 'movie', 'version', '4K', { file: 'Film (2001).mkv' }],
      ['Film (2001).mkv', 'movie', null, null, null],
      ['Film (2001) [Final Cut].mkv', 'movie', 'version', 'Final Cut', { file: 'Film (2001).mkv' }],
    ],
  ],
  [
    'films that share a folder are separate items, and an extra is assigned by its name',
    'Shelf',
    ['A (2001).mkv', 'B (2002).mkv', 'B (2002)-trailer2.mkv', 'trailer.mkv'],
    [
      ['A (2001).mkv', 'movie', null, null, null],
      ['B (2002).mkv', 'movie', null, null, null],
      ['B (2002)-trailer2.mkv', 'video', 'extra', 'Trailer 2', { file: 'B (2002).mkv' }],
      ['trailer.mkv', 'video', 'extra', 'Trailer', { folderInsideRoot: 'Shelf' }],
    ],
  ],
  [
    'suffixes of the contract',
    'Film (2001)',
    ['Film (2001).mkv', 'Film (2001)-teaser.mkv', 'Film (2001)-behind-the-scenes.mkv', 'Film (2001)-deleted-scene.mkv'],
    [
      ['Film (2001).mkv', 'movie', null, null, null],
      ['Film (2001)-teaser.mkv', 'video', 'extra', 'Teaser', { file: 'Film (2001).mkv' }],
      ['Film (2001)-behind-the-scenes.mkv', 'video', 'extra', 'Behind the Scenes', { file: 'Film (2001).mkv' }],
      ['Film (2001)-deleted-scene.mkv', 'video', 'extra', 'Deleted Scene', { file: 'Film (2001).mkv' }],
    ],
  ],
  [
    'a folder of extras belongs to the folder above; in the library folder to no item',
    'Film (2001)/trailers',
    ['First Look.mkv'],
    [['First Look.mkv', 'video', 'extra', 'First Look', { folderInsideRoot: 'Film (2001)' }]],
  ],
  ['', 'trailers', ['x.mkv'], [['x.mkv', 'video', 'extra', 'x', 'group']]],
  [
    'a film that is really titled Theme or Backdrop is alone in a folder of that title',
    'Theme (2001) [tmdbid-1]',
    ['theme.mp4', 'theme-trailer.mp4'],
    [
      ['theme.mp4', 'movie', null, null, null],
      ['theme-trailer.mp4', 'video', 'extra', 'Trailer', { file: 'theme.mp4' }],
    ],
  ],
  ['', 'Shelf/Backdrop', ['Backdrop.mkv'], [['Backdrop.mkv', 'movie', null, null, null]]],
  [
    'in the folder of another film it is the theme of that film, even if the film is absent',
    'Film (2001)',
    ['theme.mp4'],
    [['theme.mp4', 'video', 'extra', 'Theme', { folderInsideRoot: 'Film (2001)' }]],
  ],
  [
    '',
    'Theme',
    ['Theme (2001).mkv', 'theme.mp4'],
    [
      ['Theme (2001).mkv', 'movie', null, null, null],
      ['theme.mp4', 'video', 'extra', 'Theme', { file: 'Theme (2001).mkv' }],
    ],
  ],
  [
    '',
    'Film (2001)/backdrops',
    ['backdrop.mp4'],
    [['backdrop.mp4', 'video', 'extra', 'backdrop', { folderInsideRoot: 'Film (2001)' }]],
  ],
  [
    'in the library folder only the names of the library’s theme are not films',
    '',
    ['backdrop.mp4', 'backdrop.webm', 'theme.mp4'],
    [
      ['backdrop.mp4', 'video', 'extra', 'Theme', { folderInsideRoot: '' }],
      ['backdrop.webm', 'video', 'extra', 'Theme', { folderInsideRoot: '' }],
      ['theme.mp4', 'video', 'extra', 'Theme', { folderInsideRoot: '' }],
    ],
  ],
  [
    '',
    '',
    ['backdrop.mkv', 'theme.mkv'],
    [
      ['backdrop.mkv', 'movie', null, null, null],
      ['theme.mkv', 'movie', null, null, null],
    ],
  ],
  ['samples are left out', 'Film (2001)', ['Film (2001)-sample.mkv'], []],
]

void t.test('the files of a folder of films are films, versions, parts or extras by their names', (t) => {
  for (const [claim, pathInsideRoot, names, expected] of FOLDERS) {
    const { files } = movieKind.planFolder({ pathInsideRoot, names })
    const planned = [...files].map(([name, { identification, role }]) => {
      return [name, identification.type, role?.kind ?? null, role?.label ?? null, role?.of ?? null]
    })
    const byName = (one: unknown[], other: unknown[]): number => (String(one[0]) < String(other[0]) ? -1 : 1)
    t.strictSame(planned.toSorted(byName), expected.toSorted(byName), claim)
  }
  t.end()
})
