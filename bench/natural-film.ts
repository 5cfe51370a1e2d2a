import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { seededRandom, type SeededRandom } from '../test/support/seeded-random.ts'

/** Pictures are larger than the film, which shows a moving part of them. */
const [WIDTH, HEIGHT] = [2560, 1440]
const SCENES = 8
const LEAVES = 2600

/** Relative strength of noise whose grains are 256, 128, … 4 pixels large. */
const OCTAVES = [60, 40, 28, 20, 14, 9, 6]

/** Seconds of a shot; films have cuts about every five seconds. */
const SHOTS = [1.7, 2.5, 3.2, 4, 5, 6.5, 8, 12]

/**
 * Makes a film of 1080p H.264 whose cost is that of a film with actors: overlapping shapes of all sizes and noise of all scales, which
 * have the statistics of photos; a moving camera, cuts, grain, a key frame at cuts and at least every ten seconds; sound of 5.1 channels.
 * @param seconds of encoded film, which is repeated `repeated` times
 */
export async function makeNaturalFilm(output: string, { seconds, repeated }: { seconds: number; repeated: number }) {
  const random = seededRandom(7)
  const folder = join(output, '..')
  const scenes = Array.from({ length: SCENES }, (_, index) => join(folder, `scene-${index}.png`))
  for (const scene of scenes) await makeScene(scene, random)
  const shots = shotsOf(seconds, random)
  const inputs = shots.flatMap((_, index) => ['-i', scenes[index % SCENES] ?? ''])
  const parts = shots.map((length, index) => `[${index}:v]${shotFilters(length, random)}[v${index}]`)
  const joined = `${shots.map((_, index) => `[v${index}]`).join('')}concat=n=${shots.length}:v=1,noise=c0s=4:c0f=t[v]`
  const sound = ['-f', 'lavfi', '-i', `anoisesrc=d=${seconds}:c=pink:r=48000:a=0.3`]
  const maps = ['-filter_complex', [...parts, joined].join(';'), '-map', '[v]', '-map', `${shots.length}:a`]
  const video = ['-c:v', 'libx264', '-preset', 'faster', '-crf', '21', '-g', '240']
  const coded = [...video, '-c:a', 'ac3', '-b:a', '448k', '-ac', '6', '-t', `${seconds}`]
  repeatFilm([...inputs, ...sound, ...maps, ...coded], { output, repeated })
}

/** Makes a film with arguments of ffmpeg, and repeats it. */
export function repeatFilm(words: readonly string[], { output, repeated }: { output: string; repeated: number }): void {
  const once = join(output, '..', 'once.mkv')
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...words, once])
  const loop = ['-stream_loop', `${repeated - 1}`, '-i', once]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...loop, '-map', '0', '-c', 'copy', output])
}

function shotsOf(seconds: number, random: SeededRandom): number[] {
  const shots: number[] = []
  for (let rest = seconds; rest > 0; rest -= shots.at(-1) ?? rest)
    shots.push(Math.min(rest, SHOTS[random.below(SHOTS.length)] ?? 5))
  return shots
}

/** A camera that moves from one place of a picture to another, and shakes. */
function shotFilters(seconds: number, random: SeededRandom): string {
  const along = (room: number): string => {
    const [from, to] = [random.below(room), random.below(room)]
    return `'clip(${from}+${to - from}*t/${seconds}+3*sin(t*2),0,${room})'`
  }
  const repeated = `loop=loop=-1:size=1,fps=24,setpts=N/24/TB,trim=duration=${seconds}`
  return `format=yuv420p,gblur=sigma=0.7,${repeated},crop=1920:1080:x=${along(WIDTH - 1920)}:y=${along(HEIGHT - 1080)},setsar=1`
}

async function makeScene(path: string, random: SeededRandom): Promise<void> {
  const size = { width: WIDTH, height: HEIGHT, channels: 3 } as const
  const pixels = await sharp(Buffer.from(leaves(random)))
    .removeAlpha()
    .raw()
    .toBuffer()
  for (const [octave, strength] of OCTAVES.entries()) {
    const noise = await noiseOf(2 ** (8 - octave), random)
    for (let index = 0; index < pixels.length; index += 1) {
      const value = (pixels[index] ?? 0) + ((noise[Math.floor(index / 3)] ?? 128) / 255 - 0.5) * strength * 0.5
      pixels[index] = Math.max(0, Math.min(255, value))
    }
  }
  await sharp(pixels, { raw: size }).png({ compressionLevel: 1 }).toFile(path)
}

/** Shapes of all sizes, the smallest in front: many small ones, few large ones. */
function leaves(random: SeededRandom): string {
  const radii = Array.from({ length: LEAVES }, () => Math.min(700, 6 / random.fraction() ** 0.7))
  const shapes = radii
    .toSorted((one, other) => other - one)
    .map((radius) => {
      const colour = `hsl(${random.below(360)},${10 + random.below(40)}%,${8 + random.below(60)}%)`
      const place = `cx="${random.below(WIDTH)}" cy="${random.below(HEIGHT)}"`
      return `<ellipse ${place} rx="${Math.round(radius)}" ry="${Math.round(radius * (0.4 + random.fraction() * 0.6))}" fill="${colour}"/>`
    })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${shapes.join('')}</svg>`
}

/** Smooth noise of one byte for each pixel. */
async function noiseOf(grainPixels: number, random: SeededRandom): Promise<Buffer> {
  const [width, height] = [Math.ceil(WIDTH / grainPixels) + 1, Math.ceil(HEIGHT / grainPixels) + 1]
  const grains = Buffer.from(Array.from({ length: width * height }, () => random.below(256)))
  const image = sharp(grains, { raw: { width, height, channels: 1 } })
  return image.resize(WIDTH, HEIGHT, { kernel: 'cubic', fit: 'fill' }).toColourspace('b-w').raw().toBuffer()
}
