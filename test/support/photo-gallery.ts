import type { Test } from 'tap'
import { pick, startApp, type Answer, type TestApp } from './app.ts'
import { reachableDirectory } from './directories.ts'
import { HOSTILE_SVG, noise, pngOf, turnedJpeg } from './generated-pictures.ts'
import { heicWith, jpegWith } from './pictures.ts'
import { scanLibrary } from './scan-library.ts'
import { putFile } from './scanning.ts'

const CANON = {
  make: 'Canon',
  model: 'Canon EOS R5',
  lens: 'RF 50mm',
  aperture: [28, 10],
  exposure: [1, 250],
  iso: 400,
  focalLength: [50, 1],
} as const

export type Gallery = TestApp & {
  token: string
  folder: string
  libraryId: string
  idOf: (name: string) => Promise<string>
}

/** Two libraries: one with some days and unusual files, the other with a single photo of one of these days. */
export async function openGallery(t: Test): Promise<Gallery> {
  const folder = reachableDirectory(t)
  const evening = await jpegWith({
    ...CANON,
    takenAt: '2024:05:06 23:30:00',
    offset: '+02:00',
    place: { latitude: [48, 51, 30], longitude: [2, 17, 40], altitude: 35 },
  })
  putFile(folder, 'trip/evening.jpg', evening)
  putFile(folder, 'trip/morning.jpg', await jpegWith({ ...CANON, takenAt: '2024:05:06 07:00:00', offset: '+02:00' }))
  putFile(folder, 'trip/next.jpg', await jpegWith({ takenAt: '2024:05:07 10:00:00', offset: '+02:00' }))
  const old = new Date('2020-01-02T12:00:00Z')
  putFile(folder, 'old/turned.jpg', await turnedJpeg(6), old)
  putFile(folder, 'old/big.png', await noise(900, 600).png().toBuffer(), old)
  putFile(folder, 'old/wide.webp', await noise(400, 100).webp().toBuffer(), old)
  putFile(folder, 'old/film.tiff', await noise(60, 60).tiff().toBuffer(), old)
  putFile(folder, 'old/phone.heic', heicWith({ takenAt: '2020:01:02 12:00:01', offset: '+00:00' }), old)
  putFile(folder, 'old/bomb.png', pngOf({ width: 50_000, height: 50_000, rows: 2000 }), old)
  putFile(folder, 'old/drawing.jpg', HOSTILE_SVG, old)
  putFile(folder, 'old/page.jpg', '<!doctype html><script>alert(1)</script>', old)
  const second = reachableDirectory(t)
  putFile(second, 'other.jpg', await jpegWith({ takenAt: '2024:05:06 12:00:00', offset: '+02:00' }))
  const app = await startApp(t)
  const { id: libraryId } = await scanLibrary(app.services, { folder, type: 'photo' })
  await scanLibrary(app.services, { folder: second, type: 'photo' })
  const { token } = await app.registerUser()
  const idOf = async (name: string): Promise<string> => {
    const { json } = await app.ask('GET', '/api/v1/photo/photos?limit=100', { token })
    const photos = pick(json, 'photos') as { id: string; name: string }[]
    return photos.find((photo) => photo.name === name)?.id ?? `no ${name}`
  }
  return { ...app, token, folder, libraryId, idOf }
}

/** Requests a path below `/api/v1/photo` with a token. */
export type Ask = (path: string, headers?: Record<string, string>) => Promise<Answer>

export function asking(gallery: Gallery): Ask {
  return (path, headers = {}) => gallery.ask('GET', `/api/v1/photo${path}`, { token: gallery.token, headers })
}
