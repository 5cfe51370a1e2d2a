import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { freeSpaceBytes } from '../../platform/files/index.ts'
import type { Images, Pixels } from '../../platform/images/index.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../../platform/media-tools/index.ts'
import type { AnalysedFile, FeatureOutcome } from '../film/analysed-file.ts'
import type { FrameConsumer } from '../film-reading/frame-consumer.ts'
import { writeIndexXml, type IndexedPicture } from './formats/index-xml.ts'
import { gridIndexOfPicture, PICTURES_PER_GRID, pictureSeconds } from './grid-geometry.ts'
import { makeGridFile } from './grid-file.ts'
import {
  gridFileName,
  SET_INDEX_NAME,
  isSetName,
  itemTrickplayFolder,
  listSetFolderNames,
  removeSetFolder,
  trickplaySetName,
  temporarySetName,
} from './set-folders.ts'

type Services = { config: Config; images: Pick<Images, 'encode'> }

/** The stages of writing that tests interrupt. */
export type TrickplayWriteStage = 'begun' | 'grid' | 'pictures' | 'index' | 'published'

/**
 * Writes the set of a film while the film is being read. Nothing is visible before `commit`. A full disk is a failed
 * result and not an error, so that a fingerprint that is read at the same time is kept.
 */
export class TrickplaySetWriter implements FrameConsumer {
  readonly #services: Services
  readonly #file: AnalysedFile
  readonly #folder: string
  readonly #onStage: (stage: TrickplayWriteStage) => void
  #pending: Pixels[] = []
  #pictures: IndexedPicture[] = []
  #bytes = 0
  #problem: string | null = null

  constructor(services: Services, file: AnalysedFile, onStage: (stage: TrickplayWriteStage) => void = () => {}) {
    this.#services = services
    this.#file = file
    this.#folder = join(itemTrickplayFolder(services.config, file.itemId), temporarySetName(trickplaySetName(file)))
    this.#onStage = onStage
  }

  /** Size of the set so far. */
  get bytes(): number {
    return this.#bytes
  }

  async frame(rgb: Buffer): Promise<void> {
    if (this.#problem !== null) return
    this.#pending.push({ rgb, width: PICTURE_WIDTH, height: PICTURE_HEIGHT })
    if (this.#pending.length === PICTURES_PER_GRID) await this.#keepingProblems(() => this.#writeGrid())
  }

  async restart(): Promise<void> {
    this.#pending = []
    this.#pictures = []
    this.#bytes = 0
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Makes the set visible, in place of one of an earlier version of the file. */
  async commit(): Promise<FeatureOutcome> {
    await this.#keepingProblems(async () => {
      if (this.#pending.length > 0) await this.#writeGrid()
      if (this.#problem !== null) return
      this.#onStage('pictures')
      if (this.#pictures.length === 0) this.#problem = 'the video has no pictures'
      else await this.#publish()
    })
    if (this.#problem === null) return { outcome: 'done', reason: null }
    await this.discard()
    return { outcome: 'failed', reason: this.#problem }
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    this.#pending = []
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #writeGrid(): Promise<void> {
    const first = this.#pictures.length
    const { bytes, spans } = await makeGridFile(this.#services.images, this.#pending)
    if (first === 0) {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      this.#onStage('begun')
    }
    if (!(await this.#hasSpace(bytes.length))) {
      this.#problem = 'the disk has too little free space'
      return
    }
    await writeDurably(join(this.#folder, gridFileName(gridIndexOfPicture(first))), bytes)
    this.#bytes += bytes.length
    for (const [position, span] of spans.entries()) {
      const index = first + position
      this.#pictures.push({ index, seconds: pictureSeconds(index), ...span })
    }
    this.#pending = []
    this.#onStage('grid')
  }

  async #publish(): Promise<void> {
    const text = Buffer.from(writeIndexXml(this.#pictures))
    await writeDurably(join(this.#folder, SET_INDEX_NAME), text)
    this.#bytes += text.length
    await syncFolder(this.#folder)
    this.#onStage('index')
    const parent = dirname(this.#folder)
    const name = trickplaySetName(this.#file)
    await removeSetFolder(join(parent, name))
    await rename(this.#folder, join(parent, name))
    await syncFolder(parent)
    this.#onStage('published')
    const others = (await listSetFolderNames(parent)).filter((other) => isSetName(other) && other !== name)
    for (const other of others) await removeSetFolder(join(parent, other))
  }

  /** The same disk may hold the database, which stops working when the disk is full. */
  async #hasSpace(bytes: number): Promise<boolean> {
    const floor = this.#services.config.options['hls.min_disk_space_bytes']
    return (await freeSpaceBytes(this.#folder)) - bytes >= floor
  }

  /** Stores an error of the file system as the reason why the set failed. */
  async #keepingProblems(work: () => Promise<void>): Promise<void> {
    if (this.#problem !== null) return
    try {
      await work()
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error
      this.#problem = `the pictures cannot be written: ${describeError(error)}`
    }
  }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await using handle: FileHandle = await open(path, 'wx', 0o600)
  await handle.writeFile(bytes)
  await handle.sync()
}

async function syncFolder(folder: string): Promise<void> {
  await using handle: FileHandle = await open(folder)
  await handle.sync()
}
