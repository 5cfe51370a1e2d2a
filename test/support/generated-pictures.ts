import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A picture of noise: every pixel differs, as in a photo. */
export function noise(width: number, height: number): Sharp {
  return sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
}

/** A picture of one colour. */
export function plain(width: number, height: number, background = '#3366cc'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

/**
 * A JPEG whose displayed quarters are red, green, blue and white (left to right, top to bottom), stored with the EXIF orientation that
 * reverts the transformation; 80x60 as displayed.
 */
export async function turnedJpeg(orientation: number): Promise<Buffer> {
  const [width, height] = [80, 60]
  const quarter = (color: string, left: number, top: number) => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3 as const, background: color } },
    left,
    top,
  })
  const upright = await plain(width, height)
    .composite([
      quarter('#ff0000', 0, 0),
      quarter('#00ff00', width / 2, 0),
      quarter('#0000ff', 0, height / 2),
      quarter('#ffffff', width / 2, height / 2),
    ])
    .png()
    .toBuffer()
  return stored(sharp(upright), orientation)
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .withMetadata({ orientation })
    .toBuffer()
}

/** The inverse of the transformation that the orientation describes; sharp mirrors before it rotates. */
function stored(picture: Sharp, orientation: number): Sharp {
  switch (orientation) {
    case 2:
      return picture.flop()
    case 3:
      return picture.rotate(180)
    case 4:
      return picture.flip()
    case 5:
      return picture.rotate(90).flip()
    case 6:
      return picture.rotate(270)
    case 7:
      return picture.rotate(270).flip()
    case 8:
      return picture.rotate(90)
    default:
      return picture
  }
}

type PngSpec = { width: number; height: number; rows?: number; isInterlaced?: boolean; hasColour?: boolean }

/** A black PNG whose header may declare more rows than the file contains. */
export function pngOf({ width, height, rows = height, isInterlaced = false, hasColour = false }: PngSpec): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = hasColour ? 8 : 1
  head[9] = hasColour ? 2 : 0
  head[12] = isInterlaced ? 1 : 0
  const line = 1 + Math.ceil((width * (hasColour ? 24 : 1)) / 8)
  // The passes of an interlaced picture have a few lines more.
  const lines = Math.ceil(isInterlaced ? rows * 1.1 : rows)
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(line * lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(body.length)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([size, typed, check])
}

/** A GIF of 2048x2048 with this number of small frames. */
export function gifOfFrames(frames: number): Buffer {
  const head = Buffer.from(
    'GIF89a\u0000\u0008\u0000\u0008\u0080\u0000\u0000\u0000\u0000\u0000\u00ff\u00ff\u00ff',
    'latin1',
  )
  const frame = Buffer.from('21f90404000000002c0000000001000100000201440'.concat('0'), 'hex')
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

/** Content that XML viewers would run or fetch; named like a photo. */
export const HOSTILE_SVG = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">
<script>alert(1)</script><image xlink:href="file:///etc/passwd" width="100" height="100"/><text>&secret;</text></svg>`

/** A PDF with one empty page. */
export const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/MediaBox[0 0 100 100]/Parent 2 0 R>>endobj
trailer<</Root 1 0 R>>`
