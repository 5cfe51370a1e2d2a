import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import {
  createImages,
  imageErrors,
  type Images,
  type PictureShape,
  type PictureSource,
} from '../../../../src/core/platform/images/index.ts'
import { AppError } from '../../../../src/core/platform/errors/index.ts'
import { loadConfig, type OptionPath } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createMediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { gifOfFrames, HOSTILE_SVG, noise, PDF, plain, pngOf, turnedJpeg } from '../../../support/generated-pictures.ts'
import { movableClock } from '../../../support/records.ts'
import { unlessInstalled } from '../../../support/programs.ts'

const THUMBNAIL: PictureShape = { fit: 'cover', width: 100, height: 100 }

type Studio = {
  images: Images
  /** Of the rendered picture. */
  directory: string
  clock: ReturnType<typeof movableClock>
  /** Renders a file with these bytes. Returns the picture, or the code of the error. */
  draw: (bytes: Uint8Array | string, shape?: PictureShape, name?: string) => Promise<Buffer | string>
}

async function makeStudio(t: Test, flags: Partial<Record<OptionPath, string>> = {}): Promise<Studio> {
  const clock = movableClock()
  const config = loadConfig({ dataDirectory: reachableDirectory(t), environment: {}, flags })
  const log = await createLogger(config, { level: 'emergency' })
  const images = createImages({ config, log, clock, mediaTools: createMediaTools({ config, log }) })
  t.teardown(() => images.close())
  let count = 0
  return {
    images,
    directory: join(config.dataDirectory, 'cache', 'artwork'),
    clock,
    async draw(bytes, shape = THUMBNAIL, name = 'x.jpg') {
      count += 1
      const path = join(mkdtempSync(join(config.dataDirectory, 'pictures-')), name)
      writeFileSync(path, bytes)
      const source = { identity: `${count}`, open: async () => ({ handle: await open(path), path }) }
      return images.render(source, shape).then(
        ({ bytes }) => bytes,
        (error: { code: string }) => error.code,
      )
    },
  }
}

/** Width, height and format of the rendered picture, or the code of the error. */
async function look(picture: Buffer | string): Promise<string> {
  if (typeof picture === 'string') return picture
  const { width, height, format, space, depth, exif, icc } = await sharp(picture).metadata()
  return [width, height, format, space, depth, exif === undefined ? '' : 'exif', icc === undefined ? '' : 'icc']
    .join(' ')
    .trim()
}

async function pixel(picture: Buffer | string, left: number, top: number): Promise<number[]> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (top * info.width + left) * info.channels
  return [...data.subarray(at, at + 3)]
}

const isNear = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, index) => Math.abs(value - (b[index] ?? 0)) < 40)

void t.test('every raster format becomes a JPEG of the requested size, in sRGB and without metadata', async (t) => {
  const { draw } = await makeStudio(t)
  const made = noise(200, 100)
  const formats = {
    jpeg: made.clone().jpeg(),
    progressive: made.clone().jpeg({ progressive: true }),
    cmyk: made.clone().toColourspace('cmyk').jpeg(),
    grey: made.clone().greyscale().jpeg(),
    png: made.clone().png(),
    png16: made.clone().toColourspace('rgb16').png(),
    webp: made.clone().webp(),
    gif: made.clone().gif(),
    tiff: made.clone().tiff(),
    avif: made.clone().avif({ effort: 0 }),
    icc: made.clone().withIccProfile('p3').jpeg(),
  }
  for (const [name, picture] of Object.entries(formats)) {
    t.equal(await look(await draw(await picture.toBuffer())), '100 100 jpeg srgb uchar', name)
  }
})

void t.test('pictures are cropped, letterboxed, or only reduced; transparency is kept where requested', async (t) => {
  const { draw } = await makeStudio(t)
  const wide = await plain(400, 200, '#ffffff').png().toBuffer()
  t.match(await look(await draw(wide, { fit: 'cover', width: 50, height: 80 })), /^50 80 jpeg/)
  const boxed = await draw(wide, { fit: 'contain', width: 100, height: 100 })
  t.match(await look(boxed), /^100 100 jpeg/)
  t.ok(isNear(await pixel(boxed, 50, 5), [0, 0, 0]) && isNear(await pixel(boxed, 50, 50), [255, 255, 255]))
  t.match(await look(await draw(wide, { fit: 'inside', width: 100, keepsTransparency: false })), /^100 50 jpeg/)
  t.match(await look(await draw(wide, { fit: 'inside', width: 9999, keepsTransparency: false })), /^400 200 jpeg/)
  const tall = { fit: 'inside', width: 100, height: 100, keepsTransparency: false } as const
  t.match(await look(await draw(await plain(200, 400, '#ffffff').png().toBuffer(), tall)), /^50 100 jpeg/)
  const logo = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#ff000000' } })
    .png()
    .toBuffer()
  t.match(await look(await draw(logo, { fit: 'inside', width: 20, keepsTransparency: true })), /^20 20 png/)
  t.match(await look(await draw(logo, { fit: 'inside', width: 20, keepsTransparency: false })), /^20 20 jpeg/)
})

void t.test('a picture is rotated by its EXIF orientation, for all eight values', async (t) => {
  const { draw } = await makeStudio(t)
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const drawn = await draw(await turnedJpeg(orientation), { fit: 'inside', width: 80, keepsTransparency: false })
    t.match(await look(drawn), /^80 60 jpeg srgb uchar$/, `${orientation}`)
    const corners = [
      await pixel(drawn, 5, 5),
      await pixel(drawn, 75, 5),
      await pixel(drawn, 5, 55),
      await pixel(drawn, 75, 55),
    ]
    const wanted = [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
    ]
    t.ok(
      corners.every((corner, index) => isNear(corner, wanted[index] ?? [])),
      `${orientation}: ${JSON.stringify(corners)}`,
    )
  }
})

void t.test(
  'decompression bombs, truncated files and unusual sizes are drawn or refused in constant memory (IM-01)',
  async (t) => {
    const { draw } = await makeStudio(t)
    await draw(await noise(100, 100).jpeg().toBuffer())
    const big = await plain(16_000, 12_500).jpeg({ quality: 50 }).toBuffer()
    const cases: Record<string, readonly [bytes: Uint8Array, outcome: RegExp]> = {
      'PNG of 50,000x50,000': [pngOf({ width: 50_000, height: 50_000, rows: 2000 }), /^picture_unreadable$/],
      'PNG of 16,000x16,000': [pngOf({ width: 16_000, height: 16_000 }), /^100 100 jpeg/],
      'interlaced PNG of 64 megapixels': [
        pngOf({ width: 8000, height: 8000, rows: 100, isInterlaced: true, hasColour: true }),
        /^picture_unreadable$/,
      ],
      'GIF of 10,000 frames': [gifOfFrames(10_000), /^100 100 jpeg/],
      'GIF of 64 megapixels': [await plain(8000, 8000).gif({ effort: 1 }).toBuffer(), /^picture_unreadable$/],
      'JPEG of 200 megapixels': [big, /^100 100 jpeg/],
      'half of it': [big.subarray(0, big.length / 2), /^picture_unreadable$/],
      'its first kilobyte': [big.subarray(0, 1000), /^picture_unreadable$/],
      'TIFF of many pages': [await manyPages(), /^100 100 jpeg/],
      'AVIF of 18 megapixels': [await plain(4200, 4200).avif({ effort: 0 }).toBuffer(), /^picture_unreadable$/],
      'a JPEG head and then nothing': [Buffer.from('ffd8ffe000104a464946', 'hex'), /^picture_unreadable$/],
    }
    for (const [name, [bytes, outcome]] of Object.entries(cases)) {
      const before = process.memoryUsage.rss()
      t.match(await look(await draw(bytes)), outcome, name)
      const grown = Math.round((process.memoryUsage.rss() - before) / 1024 / 1024)
      t.ok(grown < 200, `${name}: ${grown} MiB more`)
    }
  },
)

async function manyPages(): Promise<Buffer> {
  const page = await noise(64, 64).raw().toBuffer()
  const pages = Buffer.concat(Array<Buffer>(500).fill(page))
  return sharp(pages, { raw: { width: 64, height: 64 * 500, channels: 3, pageHeight: 64 } })
    .tiff()
    .toBuffer()
}

void t.test(
  'a file that is no raster picture by its bytes is not opened, regardless of its name (IM-02)',
  async (t) => {
    const { draw } = await makeStudio(t)
    const cases: Record<string, string | Uint8Array> = {
      svg: HOSTILE_SVG,
      'svg without head': HOSTILE_SVG.slice(HOSTILE_SVG.indexOf('<svg')),
      pdf: PDF,
      html: '<!doctype html><script>alert(1)</script>',
      empty: '',
      'one byte': 'x',
      bmp: 'BM\0\0\0\0',
      postscript: '%!PS-Adobe-3.0 EPSF',
      'image magick': 'push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 "https://example.com"',
      'JPEG mark before a document': Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(HOSTILE_SVG)]),
      'vips file': Buffer.from('08f2a6b6', 'hex'),
    }
    for (const [name, bytes] of Object.entries(cases)) {
      for (const file of ['x.jpg', 'x.svg', 'x.png', 'x.pdf', 'x.v']) {
        t.equal(await draw(bytes, THUMBNAIL, file), 'picture_unreadable', `${name} as ${file}`)
      }
    }
  },
)

void t.test('a file that is both a picture and another format is a picture', async (t) => {
  const { draw } = await makeStudio(t)
  const picture = await noise(200, 200).jpeg().toBuffer()
  const polyglot = Buffer.concat([picture, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')])
  const drawn = await draw(polyglot)
  t.match(await look(drawn), /^100 100 jpeg/)
  t.notOk(drawn.includes('script'))
})

void t.test(
  'HEIC is drawn where the system’s heif-convert or ffmpeg decodes it, and is a specific error otherwise',
  async (t) => {
    const { draw, images } = await makeStudio(t)
    const bytes = Buffer.concat([Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(1000)])
    t.equal(await draw(bytes, THUMBNAIL, 'x.heic'), 'heic_decoder_missing')
    const sequence = await heicSequence(t)
    t.match(await look(await draw(sequence, THUMBNAIL, 'x.heic')), /^100 100 jpeg/)
    const inMemory = { identity: 'memory', open: async () => ({ bytes }) }
    await t.rejects(images.render(inMemory, THUMBNAIL), { code: 'heic_decoder_missing' })
  },
)

void t.test('a photo of a phone is drawn', { skip: unlessInstalled('heif-enc') }, async (t) => {
  const { draw } = await makeStudio(t)
  t.match(await look(await draw(await heicPhoto(t), THUMBNAIL, '-x %d.heic')), /^100 100 jpeg/)
})

void t.test(
  'the first picture of a HEIC file with several is drawn, and no files of the others remain',
  { skip: unlessInstalled('heif-enc') },
  async (t) => {
    const { draw, images, directory } = await makeStudio(t)
    t.match(await look(await draw(await heicPhoto(t, 3), THUMBNAIL, 'burst.heic')), /^100 100 jpeg/)
    await images.close()
    const left = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    t.equal(left.length, 1, 'the drawn picture')
    t.strictSame(
      readdirSync(directory).filter((name) => name.includes('.')),
      [],
    )
  },
)

void t.test('a decoder that succeeds without output is treated as a picture that cannot be drawn', async (t) => {
  const folder = reachableDirectory(t)
  const record = join(folder, 'runs')
  const program = join(folder, 'fake-program')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\0' "$@" >> ${record}; echo >> ${record}\n`, { mode: 0o755 })
  const { images } = await makeStudio(t, { 'media.heif_convert': program, 'media.ffmpeg': program })
  const path = join(folder, 'x.heic')
  writeFileSync(path, Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1'))
  const source = { identity: 'x', open: async () => ({ handle: await open(path), path }) }
  for (const width of [100, 200]) {
    await t.rejects(images.render(source, { ...THUMBNAIL, width }), { code: 'picture_unreadable' })
  }
  const [converted = '', decoded = '', ...further] = readFileSync(record, 'utf8').split('\n').slice(0, -1)
  t.strictSame(further, [], 'each was started once')
  t.match(converted, path)
  const words = decoded.split('\0')
  const scale = `scale='min(4096,iw)':'min(4096,ih)':force_original_aspect_ratio=decrease`
  t.equal(words.slice(words.indexOf('-map'), -2).join(' '), `-map 0:v:0 -frames:v 1 -vf ${scale} -q:v 2 -f mjpeg`)
})

/** In the form that phones write; created by libheif's own encoder. */
async function heicPhoto(t: Test, pictures = 1): Promise<Buffer> {
  const folder = reachableDirectory(t)
  const [png, heic] = [join(folder, 'photo.png'), join(folder, 'photo.heic')]
  await noise(256, 192).png().toFile(png)
  await promisify(execFile)('heif-enc', ['-q', '50', ...Array<string>(pictures).fill(png), '-o', heic])
  return readFileSync(heic)
}

/** A HEIF image sequence of HEVC (ISO 23008-12, 10.3), which every ffmpeg decodes: a video with the brand of pictures. */
async function heicSequence(t: Test): Promise<Buffer> {
  const path = join(reachableDirectory(t), 'film.mp4')
  const words =
    '-loglevel error -f lavfi -i testsrc2=size=320x240:rate=5:duration=1 -c:v libx265 -preset ultrafast -x265-params log-level=none'
  await promisify(execFile)('ffmpeg', [...words.split(' '), path])
  const bytes = readFileSync(path)
  bytes.write('hevc', 8, 'latin1')
  return bytes
}

void t.test('a picture is drawn once for concurrent requests, and cached', async (t) => {
  const { images } = await makeStudio(t)
  const bytes = await noise(300, 300).jpeg().toBuffer()
  let opened = 0
  const source = { identity: 'one', open: async () => ((opened += 1), { bytes }) }
  const all = await Promise.all(Array.from({ length: 20 }, () => images.render(source, THUMBNAIL)))
  t.equal(opened, 1)
  t.equal(new Set(all.map(({ etag }) => etag)).size, 1)
  const again = await images.render(source, THUMBNAIL)
  t.equal(opened, 1)
  t.strictSame([again.bytes, again.etag], [all[0]?.bytes, all[0]?.etag])
  await images.render(source, { ...THUMBNAIL, width: 101 })
  t.equal(opened, 2)
})

void t.test('a picture that cannot be drawn is not tried again for ten minutes; a missing file is', async (t) => {
  const { images, clock } = await makeStudio(t)
  let opened = 0
  const damaged = { identity: 'damaged', open: async () => ((opened += 1), { bytes: Buffer.from('no picture') }) }
  const attempt = () => t.rejects(images.render(damaged, THUMBNAIL), { code: 'picture_unreadable' })
  await attempt()
  await attempt()
  t.equal(opened, 1)
  clock.advance(601)
  await attempt()
  t.equal(opened, 2)
  const away = { identity: 'away', open: async () => ((opened += 1), Promise.reject(new Error('away'))) }
  await t.rejects(images.render(away, THUMBNAIL), /away/)
  await t.rejects(images.render(away, THUMBNAIL), /away/)
  t.equal(opened, 4)
})

void t.test(
  'a source that is no picture is not opened again; only lasting failures of a server are cached',
  async (t) => {
    const { images, clock } = await makeStudio(t)
    const opened: string[] = []
    const failing = (identity: string, error: AppError, slow?: PictureSource['slow']) => {
      const open = async () => (opened.push(identity), Promise.reject(error))
      return t.rejects(images.render({ identity, open, slow }, THUMBNAIL), { code: error.code })
    }
    const failure = (code: string): AppError => new AppError({ kind: 'unavailable', code, title: code })
    const slow = { queue: 'servers', isLasting: ({ code }: AppError) => code === 'lasting' } as const
    for (const identity of ['none', 'none']) await failing(identity, imageErrors.picture_unreadable())
    for (const identity of ['asked', 'asked']) await failing(identity, failure('lasting'), slow)
    for (const identity of ['resting', 'resting']) await failing(identity, failure('passing'), slow)
    t.strictSame(opened, ['none', 'asked', 'resting', 'resting'])
    clock.advance(601)
    await failing('none', imageErrors.picture_unreadable())
    t.equal(opened.length, 5)
  },
)

void t.test('more than some hundred concurrent pictures are refused, and waiting ones are drawn', async (t) => {
  const { images } = await makeStudio(t)
  const bytes = await noise(64, 64).jpeg().toBuffer()
  let running = 0
  let most = 0
  const render = (index: number) =>
    images
      .render(
        {
          identity: `${index}`,
          open: async () => {
            running += 1
            most = Math.max(most, running)
            await turn()
            running -= 1
            return { bytes }
          },
        },
        { fit: 'cover', width: 16, height: 16 },
      )
      .then(
        () => 'drawn',
        (error: { code: string }) => error.code,
      )
  const outcomes = await Promise.all(Array.from({ length: 600 }, (_, index) => render(index)))
  const drawn = outcomes.filter((outcome) => outcome === 'drawn').length
  t.ok(drawn >= 500 && drawn < 600, `${drawn}`)
  t.strictSame([...new Set(outcomes)].toSorted(), ['drawn', 'too_many_pictures'])
  t.ok(most <= 3, `${most} concurrently`)
})
