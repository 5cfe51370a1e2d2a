import t from 'tap'
import { photoKind } from '../../../../src/core/scanning/media-kinds/photo.ts'
import type { FileRole } from '../../../../src/core/scanning/media-kinds/media-kind.ts'

function rolesIn(names: readonly string[]): Record<string, FileRole | null> {
  const { files } = photoKind.planFolder({ pathInsideRoot: '2024/Trip', names })
  return Object.fromEntries([...files].map(([name, { role }]) => [name, role]))
}

const live = (file: string): FileRole => ({ kind: 'extra', of: { file }, label: 'live photo', order: null })
const raw = (file: string, label: string): FileRole => ({ kind: 'version', of: { file }, label, order: null })

void t.test('every picture is an item under its file name, videos among them are of type video', (t) => {
  const names = ['cover.jpg', 'IMG_1.HEIC', 'The Screenshot.png', 'clip.mp4', 'notes.txt', 'IMG_1.xmp', 'no-extension']
  const { files, companions, group } = photoKind.planFolder({ pathInsideRoot: 'any/where', names })
  t.strictSame(
    [...files.values()].map(({ as, identification: { type, name } }) => [as, type, name]),
    [
      ['photo', 'image', 'cover.jpg'],
      ['photo', 'image', 'IMG_1.HEIC'],
      ['photo', 'image', 'The Screenshot.png'],
      ['video', 'video', 'clip.mp4'],
    ],
  )
  t.strictSame([companions, group], [[], null])
  t.end()
})

void t.test('the film of a live photo belongs to its picture', (t) => {
  t.strictSame(rolesIn(['IMG_1.HEIC', 'IMG_1.MOV']), { 'IMG_1.HEIC': null, 'IMG_1.MOV': live('IMG_1.HEIC') })
  t.strictSame(rolesIn(['img_1.mov', 'IMG_1.JPG']), { 'img_1.mov': live('IMG_1.JPG'), 'IMG_1.JPG': null })
  t.strictSame(
    rolesIn(['IMG_1.JPG', 'IMG_1.HEIC', 'IMG_1.MOV']),
    { 'IMG_1.JPG': null, 'IMG_1.HEIC': null, 'IMG_1.MOV': live('IMG_1.HEIC') },
    'of two pictures the original format of the phone',
  )
  t.end()
})

void t.test('a video with another name than a picture is an item of its own', (t) => {
  for (const names of [
    ['DJI_1.JPG', 'DJI_1.MP4'],
    ['IMG_1.PNG', 'IMG_1.MOV'],
    ['IMG_1.JPG', 'IMG_2.MOV'],
    ['IMG_1.JPG', 'IMG_1 (1).MOV'],
    ['IMG_1.MOV'],
  ]) {
    t.strictSame(
      Object.values(rolesIn(names)),
      names.map(() => null),
      names.join(', '),
    )
  }
  t.end()
})

void t.test('a raw file is a version of its processed picture, and an item without one', (t) => {
  t.strictSame(rolesIn(['DSC_1.JPG', 'DSC_1.NEF']), { 'DSC_1.JPG': null, 'DSC_1.NEF': raw('DSC_1.JPG', 'NEF') })
  t.strictSame(rolesIn(['IMG_1.DNG', 'IMG_1.HEIC']), { 'IMG_1.DNG': raw('IMG_1.HEIC', 'DNG'), 'IMG_1.HEIC': null })
  t.strictSame(rolesIn(['IMG_1.DNG', 'IMG_1.png', 'IMG_1.arw']), {
    'IMG_1.DNG': null,
    'IMG_1.png': null,
    'IMG_1.arw': null,
  })
  t.end()
})

void t.test('names in two Unicode normalisation forms are one name', (t) => {
  const [picture, film] = ['Caf\u00e9.jpg', 'Cafe\u0301.MOV']
  t.strictSame(rolesIn([picture, film]), { [picture]: null, [film]: live(picture) })
  t.end()
})

void t.test('a folder of 100,000 pictures with films, and hostile names between them, is planned', (t) => {
  const names = Array.from({ length: 200_000 }, (_, index) => `${index >> 1}.${index % 2 === 0 ? 'jpg' : 'mov'}`)
  const hostile = [
    '__proto__.jpg',
    '__proto__.mov',
    'constructor.jpg',
    `${'a'.repeat(250)}.jpg`,
    '.jpg',
    'a\0b.jpg',
    '\uD800.jpg',
  ]
  const { files } = photoKind.planFolder({ pathInsideRoot: '', names: [...names, ...hostile] })
  t.equal(files.size, 200_006, 'a name that is only an extension is no picture')
  t.equal([...files.values()].filter(({ role }) => role !== null).length, 100_001)
  t.end()
})
