import { dirname } from 'node:path'
import t from 'tap'
import { createBufferPool, openByteSource } from '../../../../src/core/platform/files/index.ts'
import { readContainerHeaders, type HeaderReadResult } from '../../../../src/core/probing/containers/read-headers.ts'
import { probeFile, type ProbedFile } from '../../../../src/core/probing/index.ts'
import { containerCorpus, isDoubtful } from '../../../support/container-corpus.ts'
import { sampleMedia, type SampleKind } from '../../../support/media.ts'
import { machineTools } from '../machine-tools.ts'

const MAX_READS = 4
const USUAL_READS = 2
/** Tolerance of durations; bit rates may differ by a five-hundredth, because they depend on durations. */
const DURATION_SECONDS = 0.05
const BITRATE_SHARE = 0.002

function readFile(path: string): HeaderReadResult & { reads: number } {
  const source = openByteSource(createBufferPool(), dirname(path), path)
  try {
    return { ...readContainerHeaders(source, path), reads: source.reads }
  } finally {
    source.close()
  }
}

/** Every fact by its path: `streams.1.language`. */
function factsOf(value: unknown, path: string, facts: Map<string, unknown> = new Map()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return facts.set(path, value)
  for (const [key, inner] of Object.entries(value)) factsOf(inner, path === '' ? key : `${path}.${key}`, facts)
  return facts
}

/**
 * Facts that the headers lack or state more exactly: ffprobe measures rates over the samples of the fragments that it has read, and
 * estimates the base rate of a variable one.
 */
const UNTOLD: [name: RegExp, fact: RegExp][] = [
  [/^(?:fragments|dash)/, /(?:bitrate|frameRate)$/i],
  [/^uneven/, /baseFrameRate$/],
]

function isNear(fact: string, one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'number' || typeof other !== 'number') return false
  if (fact === 'durationSeconds') return Math.abs(one - other) <= DURATION_SECONDS
  return /bitrate$/i.test(fact) && Math.abs(one / other - 1) <= BITRATE_SHARE
}

function differences(name: string, told: ProbedFile, read: ProbedFile): string[] {
  const [one, other] = [factsOf(told, ''), factsOf(read, '')]
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((fact) => !isNear(fact, one.get(fact), other.get(fact)))
    .filter((fact) => !UNTOLD.some(([names, facts]) => names.test(name) && facts.test(fact)))
    .map((fact) => `${fact}: ${String(one.get(fact))} | ${String(other.get(fact))}`)
}

void t.test('the headers of every container and codec give the facts of ffprobe, in at most four reads', async (t) => {
  const [corpus, tools] = await Promise.all([containerCorpus(), machineTools(t)])
  t.ok(corpus.size >= 60, `${corpus.size} files`)
  let [understood, quick] = [0, 0]
  for (const [name, path] of corpus) {
    const read = readFile(path)
    t.ok(read.reads <= MAX_READS, `${name}: ${read.reads} reads`)
    t.equal(read.file === undefined, isDoubtful(name), `${name}: ${read.unsupportedReason ?? 'understood'}`)
    if (read.file === undefined) continue
    understood += 1
    quick += read.reads <= USUAL_READS ? 1 : 0
    t.strictSame(differences(name, await probeFile(tools, path), read.file), [], name)
  }
  t.ok(understood >= corpus.size * 0.95, `${understood} of ${corpus.size} understood`)
  t.ok(quick >= understood * 0.95, `${quick} of them in ${USUAL_READS} reads`)
})

/** Files of the other tests, including damaged ones. */
const SAMPLES: [kind: SampleKind, isUnderstood: boolean][] = [
  ['film-mp4', true],
  ['film-mkv', true],
  ['film-tracks-mkv', true],
  ['film-anamorphic-mkv', true],
  ['film-hdr-mkv', true],
  ['film-hevc-mkv', true],
  ['film-rotated-mp4', true],
  ['film-cut-mp4', true],
  ['film-cut-mkv', true],
  ['audiobook-m4b', true],
  ['film-ts', false],
  ['film-mpg', false],
  ['song-mp3', false],
  ['song-flac', false],
  ['photo-jpg', false],
  ['playlist-as-mp4', false],
  ['concat-as-mp4', false],
  ['empty-mp4', false],
  ['noise-mp4', false],
]

void t.test('ordinary films agree; truncated, foreign and disguised files are rejected', async (t) => {
  const tools = await machineTools(t)
  for (const [kind, isUnderstood] of SAMPLES) {
    const path = await sampleMedia(kind)
    const read = readFile(path)
    t.ok(read.reads <= MAX_READS, `${kind}: ${read.reads} reads`)
    t.equal(read.file !== undefined, isUnderstood, `${kind}: ${read.unsupportedReason ?? 'understood'}`)
    if (read.file !== undefined) t.strictSame(differences(kind, await probeFile(tools, path), read.file), [], kind)
  }
})

void t.test('the result includes the tags of the whole file', async (t) => {
  const corpus = await containerCorpus()
  for (const name of ['chapters.mkv', 'chapters.mp4', 'book.m4b', 'aac.m4a']) {
    const { tags } = readFile(corpus.get(name) ?? '') as { tags?: Record<string, string> }
    const named = Object.fromEntries(Object.entries(tags ?? {}).map(([tag, value]) => [tag.toLowerCase(), value]))
    t.match(named, { title: 'A film of many kinds', artist: 'Oscillator' }, name)
  }
})
