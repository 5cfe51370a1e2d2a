import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeSeason, type SeasonForm, type SyntheticEpisode } from './synthetic-season.ts'

const CACHE = fileURLToPath(new URL('../../../.cache/media/', import.meta.url))
/** A small moving picture with a key frame every five seconds. */
const VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=5']
const CODEC = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'copy', '-shortest']

/** Adds a season with known intros and outros to a folder of series: `Show/Season 01/Show S01E01.mkv` and so on. */
export async function putSeason(folder: string, form: SeasonForm): Promise<(SyntheticEpisode & { file: string })[]> {
  const season = join(folder, 'Show', 'Season 01')
  await mkdir(season, { recursive: true })
  const episodes = await makeSeason(form)
  const placed: (SyntheticEpisode & { file: string })[] = []
  for (const [index, episode] of episodes.entries()) {
    const file = join(season, `Show S01E0${index + 1}.mkv`)
    await copyFile(await withPicture(episode), file)
    placed.push({ ...episode, file })
  }
  return placed
}

/** The sound of an episode with a picture, stored in `.cache/media`. */
async function withPicture({ path }: SyntheticEpisode): Promise<string> {
  const made = join(CACHE, `${path.slice(path.lastIndexOf('/') + 1)}.mkv`)
  if (existsSync(made)) return made
  const unfinished = `${made}.${process.pid}.mkv`
  const maps = ['-map', '0:v', '-map', '1:a']
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...VIDEO, '-i', path, ...maps, ...CODEC, unfinished])
  await rename(unfinished, made)
  return made
}
