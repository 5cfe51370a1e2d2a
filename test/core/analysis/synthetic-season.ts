import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../../support/seeded-random.ts'
import { hum, mix, music, SAMPLE_RATE, silence, speech, toPcm } from './synthetic-sound.ts'

/** Changes with the generator, so that stored files of an older form are not used. */
const FORM_VERSION = 1
const CACHE = fileURLToPath(new URL('../../../.cache/media/', import.meta.url))

/** Codecs and containers by turns, with different bit rates, channels and sample rates. */
const FIRST_ENCODING = { extension: 'mka', words: ['-c:a', 'aac', '-b:a', '96k', '-ac', '2', '-ar', '44100'] }
const ENCODINGS: readonly { extension: string; words: readonly string[] }[] = [
  FIRST_ENCODING,
  { extension: 'mka', words: ['-c:a', 'ac3', '-b:a', '384k', '-ac', '6', '-ar', '48000'] },
  { extension: 'mka', words: ['-c:a', 'libopus', '-b:a', '48k', '-ac', '1'] },
  { extension: 'mka', words: ['-c:a', 'libmp3lame', '-b:a', '128k', '-ac', '2', '-ar', '48000'] },
  { extension: 'm4a', words: ['-c:a', 'aac', '-b:a', '64k', '-ac', '1', '-ar', '48000'] },
]

export type Interval = { startSeconds: number; endSeconds: number }

export type SyntheticEpisode = { path: string; seconds: number; intro: Interval | null; outro: Interval | null }

export type SeasonForm = {
  seed: number
  episodes: number
  introSeconds?: number
  outroSeconds?: number
  /** The episode that has no intro. */
  withoutIntro?: number
  /** No silence at the edges, dialogue over the end of the intro, short stings, and recaps of the previous episode. */
  isHard?: boolean
  bodySeconds?: number
  /** Seconds before the intro, at most. */
  maxOffsetSeconds?: number
}

/** Makes the episodes of a season, with known intros and outros. Files are stored in `.cache/media` under a name derived from the form. */
export async function makeSeason(form: SeasonForm): Promise<SyntheticEpisode[]> {
  const plans = Array.from({ length: form.episodes }, (_, episode) => planEpisode(form, episode))
  if (!plans.every(({ path }) => existsSync(path))) await makeFiles(form, plans)
  return plans
}

type EpisodePlan = SyntheticEpisode & {
  encoding: readonly string[]
  recapSeconds: number
  bodyAt: number
  bodySeconds: number
  outroAt: number
}

const DEFAULTS = { introSeconds: 0, outroSeconds: 0, isHard: false, bodySeconds: 100, maxOffsetSeconds: 40 }

function planEpisode(form: SeasonForm, episode: number): EpisodePlan {
  const { seed, introSeconds, outroSeconds, isHard, bodySeconds, maxOffsetSeconds } = { ...DEFAULTS, ...form }
  const random = seededRandom(seed * 100_000 + episode)
  const gap = isHard ? 0 : 0.5
  const recapSeconds = isHard && episode > 0 ? 12 : 0
  const introAt =
    recapSeconds + (episode % 3 === 0 && recapSeconds === 0 ? 0 : 3 + random.fraction() * maxOffsetSeconds)
  const hasIntro = introSeconds > 0 && episode !== form.withoutIntro
  const bodyAt = introAt + (hasIntro ? introSeconds + gap : 0)
  const length = bodySeconds + random.fraction() * 20
  const outroAt = bodyAt + length + gap
  const { extension, words } = ENCODINGS[(seed + episode) % ENCODINGS.length] ?? FIRST_ENCODING
  const encoding = ['-af', `volume=${[-6, 0, 2, -3][episode % 4]}dB`, ...words]
  const name = createHash('sha256')
    .update(JSON.stringify([FORM_VERSION, form, episode, encoding]))
    .digest('hex')
    .slice(0, 16)
  return {
    path: join(CACHE, `season-${name}.${extension}`),
    seconds: outroAt + outroSeconds + (episode % 2 === 0 ? 12 : 0),
    intro: hasIntro ? { startSeconds: introAt, endSeconds: introAt + introSeconds } : null,
    outro: outroSeconds > 0 ? { startSeconds: outroAt, endSeconds: outroAt + outroSeconds } : null,
    encoding,
    recapSeconds,
    bodyAt,
    bodySeconds: length,
    outroAt,
  }
}

async function makeFiles(form: SeasonForm, plans: readonly EpisodePlan[]): Promise<void> {
  const intro = music(form.introSeconds ?? 0, form.seed * 1000 + 1)
  const outro = music(form.outroSeconds ?? 0, form.seed * 1000 + 2)
  let previous = silence(0)
  for (const [episode, plan] of plans.entries()) {
    previous = soundOf(form, episode, plan, { intro, outro, previous })
    await encode(previous, plan)
  }
}

type Parts = { intro: Float32Array; outro: Float32Array; previous: Float32Array }

function soundOf(
  form: SeasonForm,
  episode: number,
  plan: EpisodePlan,
  { intro, outro, previous }: Parts,
): Float32Array {
  const sound = silence(plan.seconds)
  const seed = form.seed * 77 + episode * 3
  const say = (fromSeconds: number, toSeconds: number, part: number): void =>
    mix(sound, speech(Math.max(0, toSeconds - fromSeconds), seed + part), { atSeconds: fromSeconds })
  mix(sound, previous.subarray(60 * SAMPLE_RATE, (60 + plan.recapSeconds) * SAMPLE_RATE), { atSeconds: 0 })
  say(plan.recapSeconds, (plan.intro?.startSeconds ?? plan.bodyAt) - (form.isHard ? 0 : 0.5), 1)
  say(plan.bodyAt, plan.bodyAt + plan.bodySeconds, 2)
  say(plan.outroAt + outro.length / SAMPLE_RATE, plan.seconds, 3)
  if (plan.intro !== null) mix(sound, intro, { atSeconds: plan.intro.startSeconds })
  mix(sound, outro, { atSeconds: plan.outroAt })
  if (!form.isHard) return sound
  mix(sound, hum(plan.seconds), { atSeconds: 0 })
  // A sting that all episodes share, and dialogue over the last six seconds of the intro.
  for (const share of [0.3, 0.7])
    mix(sound, music(6, form.seed * 1000 + 3), { atSeconds: plan.bodyAt + plan.bodySeconds * share })
  if (plan.intro !== null)
    mix(sound, speech(6, form.seed * 991 + episode), { atSeconds: plan.intro.endSeconds - 6, gain: 0.7 })
  return sound
}

async function encode(sound: Float32Array, { path, encoding }: EpisodePlan): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const draft = join(CACHE, `.draft-${basename(path)}`)
  const input = ['-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', '1', '-i', 'pipe:0']
  const running = promisify(execFile)('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...input,
    ...encoding,
    '-fflags',
    '+bitexact',
    draft,
  ])
  running.child.stdin?.end(toPcm(sound))
  await running
  await rename(draft, path)
}
